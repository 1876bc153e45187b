using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace Cluster.Glue.Tls;

/// <summary>Explains why a certificate is not trusted. Pure.</summary>
internal static class CertificateJudge
{
    private const X509ChainStatusFlags Untrusted =
        X509ChainStatusFlags.UntrustedRoot | X509ChainStatusFlags.PartialChain;

    /// <summary>Why the certificate of the other side is refused; null: it is trusted.</summary>
    /// <param name="certificate">The certificate that the other side has shown; null: none.</param>
    /// <param name="chain">The certificates of the authorities above it.</param>
    /// <param name="errors">The errors that TLS has found.</param>
    /// <param name="expectedName">The name that it must bear; null: any.</param>
    public static string? ProblemOf(
        X509Certificate2? certificate,
        X509Chain? chain,
        SslPolicyErrors errors,
        string? expectedName)
    {
        if (certificate is null)
            return "no certificate was shown (Tls:CertificateFile of the other side)";
        if (errors == SslPolicyErrors.None)
            return null;
        if (ProblemOfTime(certificate) is { } problem)
            return problem;
        var name = NameOf(certificate);
        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateChainErrors))
        {
            var statuses = chain?.ChainStatus ?? [];
            if (statuses.Any(one => (one.Status & Untrusted) != 0))
            {
                return $"the certificate of {name} is from the authority {LogText.Clean(certificate.Issuer)}, which is "
                    + "not trusted here (Tls:AuthorityFile)";
            }

            var why = string.Join("; ", statuses.Select(one => one.StatusInformation.Trim()));
            return $"the certificate of {name} is not trusted: {LogText.Clean(why)}";
        }

        return $"the certificate is for {name}, and {expectedName} was called (Tls:ServerName)";
    }

    /// <summary>Why the certificate cannot be used now; null: it can. Uses the system's clock, as TLS does.</summary>
    public static string? ProblemOfTime(X509Certificate2 certificate)
    {
        var now = TimeProvider.System.GetUtcNow();
        if (now < certificate.NotBefore.ToUniversalTime())
            return $"the certificate of {NameOf(certificate)} is not valid before {TextOf(certificate.NotBefore)}";
        return now > certificate.NotAfter.ToUniversalTime()
            ? $"the certificate of {NameOf(certificate)} has expired at {TextOf(certificate.NotAfter)}"
            : null;
    }

    /// <summary>The names that a certificate bears; if it has none, its subject.</summary>
    public static string NameOf(X509Certificate2 certificate)
    {
        var names = DnsNamesOf(certificate);
        return LogText.Clean(names.Length > 0 ? string.Join(", ", names) : certificate.Subject);
    }

    private static string[] DnsNamesOf(X509Certificate2 certificate) =>
        certificate.Extensions.OfType<X509SubjectAlternativeNameExtension>().FirstOrDefault() is { } names
            ? [.. names.EnumerateDnsNames(), .. names.EnumerateIPAddresses().Select(static one => one.ToString())]
            : [];

    private static string TextOf(DateTime time) =>
        time.ToUniversalTime().ToString("yyyy-MM-dd HH:mm:ss'Z'", CultureInfo.InvariantCulture);
}
