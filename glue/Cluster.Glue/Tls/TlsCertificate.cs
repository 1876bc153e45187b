using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Cluster.Glue.Tls;

/// <summary>The certificate that one side of TLS shows, and the authorities that it trusts, at one moment.
/// Immutable.</summary>
/// <param name="Own">The certificate with those of the authorities above it; null: this side shows none.</param>
/// <param name="Authorities">The only trusted authorities; empty: those of the machine.</param>
internal sealed record TlsCertificate(SslStreamCertificateContext? Own, X509Certificate2Collection Authorities)
{
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";

    /// <summary>Makes the rules to check the certificate of the other side; new for each connection.</summary>
    public X509ChainPolicy ToChainPolicy()
    {
        // Certificates of a cluster are short-lived, and the server that answers about revocation may be far away.
        var policy = new X509ChainPolicy { RevocationMode = X509RevocationMode.NoCheck };
        if (Authorities.Count == 0)
            return policy;
        policy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        policy.CustomTrustStore.AddRange(Authorities);
        // Intermediate authorities are found there, too.
        policy.ExtraStore.AddRange(Authorities);
        return policy;
    }

    /// <summary>Makes the chain that checks a server's certificate, with the authorities' certificates that the server
    /// has sent.</summary>
    public X509Chain ToServerChain(X509Chain? sent)
    {
        var policy = ToChainPolicy();
        policy.ApplicationPolicy.Add(new Oid(ServerAuthentication));
        if (sent is not null)
            policy.ExtraStore.AddRange(sent.ChainPolicy.ExtraStore);
        return new X509Chain { ChainPolicy = policy };
    }
}
