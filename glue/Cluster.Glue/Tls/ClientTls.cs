using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace Cluster.Glue.Tls;

/// <summary>TLS of a client: which certificate it shows, and which servers it trusts. Immutable.</summary>
internal sealed class ClientTls(CertificateStore certificates, string? serverName)
{
    /// <summary>Makes the options for the connections of one channel, which may outlive the current
    /// certificates.</summary>
    /// <param name="host">The host of the called address.</param>
    public SslClientAuthenticationOptions ToOptions(string host)
    {
        var name = serverName ?? host;
        return new SslClientAuthenticationOptions
        {
            LocalCertificateSelectionCallback = (_, _, _, _, _) => certificates.Current.Own?.TargetCertificate!,
            RemoteCertificateValidationCallback = (_, certificate, chain, errors) =>
                Judge(certificate as X509Certificate2, chain, errors, name) is { } problem
                    ? throw new CertificateException(problem)
                    : true,
        };
    }

    private string? Judge(X509Certificate2? certificate, X509Chain? chain, SslPolicyErrors errors, string name)
    {
        // HttpClient checks the host of the address, even if another name is expected.
        errors &= ~SslPolicyErrors.RemoteCertificateNameMismatch;
        if (certificate?.MatchesHostname(name) == false)
            errors |= SslPolicyErrors.RemoteCertificateNameMismatch;
        var current = certificates.Current;
        if (certificate is null || current.Authorities.Count == 0)
            return CertificateJudge.ProblemOf(certificate, chain, errors, name);
        // TLS has used the authorities of the machine for this check.
        using var own = current.ToServerChain(chain);
        errors &= ~SslPolicyErrors.RemoteCertificateChainErrors;
        if (!own.Build(certificate))
            errors |= SslPolicyErrors.RemoteCertificateChainErrors;
        return CertificateJudge.ProblemOf(certificate, own, errors, name);
    }
}
