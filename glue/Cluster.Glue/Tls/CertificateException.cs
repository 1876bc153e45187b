using System.Security.Authentication;

namespace Cluster.Glue.Tls;

/// <summary>A certificate cannot be used or trusted; the message says which one, why, and what to change.</summary>
internal sealed class CertificateException(string message, Exception? cause = null)
    : AuthenticationException(message, cause)
{
    /// <summary>The first such exception among an exception and its causes; null: there is none.</summary>
    public static CertificateException? In(Exception? exception)
    {
        for (; exception is not null; exception = exception.InnerException)
        {
            if (exception is CertificateException found)
                return found;
        }

        return null;
    }
}
