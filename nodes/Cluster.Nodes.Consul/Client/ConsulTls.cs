using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Cluster.Nodes.Consul.Client;

/// <summary>TLS of the connections to the Consul agent: whom this process trusts, and what it shows. Reads the files
/// for each new connection, of which there are few. Immutable.</summary>
internal sealed class ConsulTls(ConsulOptions options)
{
    private const string Path = ConsulOptions.SectionName;
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";

    /// <summary>The options of the connections. Without files, those of .NET.</summary>
    public SslClientAuthenticationOptions ToOptions()
    {
        var tls = new SslClientAuthenticationOptions();
        if (options.AuthorityFile is { } authorities)
        {
            tls.RemoteCertificateValidationCallback = (_, certificate, chain, errors) =>
                IsTrusted(certificate as X509Certificate2, chain, errors, ReadAuthorities(authorities));
        }

        if (options.CertificateFile is { } certificate)
            tls.LocalCertificateSelectionCallback = (_, _, _, _, _) => ReadOwn(certificate, options.KeyFile);
        return tls;
    }

    /// <summary>What is wrong with the files now.</summary>
    public static IEnumerable<string> FindProblems(ConsulOptions options)
    {
        if (options is { KeyFile: not null, CertificateFile: null })
            yield return $"{Path}:{nameof(options.KeyFile)} is set without {Path}:{nameof(options.CertificateFile)}.";
        if (options.AuthorityFile is { } authorities && ProblemOf(() => ReadAuthorities(authorities)) is { } untrusted)
            yield return untrusted;
        if (options.CertificateFile is { } certificate
            && ProblemOf(() => ReadOwn(certificate, options.KeyFile).Dispose()) is { } unusable)
        {
            yield return unusable;
        }
    }

    private static string? ProblemOf(Action read)
    {
        try
        {
            read();
            return null;
        }
        catch (AuthenticationException failure)
        {
            return failure.Message;
        }
    }

    // TLS has built the chain with the authorities of the machine, so its errors of the chain do not count. Nodes and
    // clients of Consul have certificates of the same authority, and none of them may pose as the agent.
    private static bool IsTrusted(
        X509Certificate2? certificate,
        X509Chain? chain,
        SslPolicyErrors errors,
        X509Certificate2Collection authorities)
    {
        if (certificate is null || (errors & ~SslPolicyErrors.RemoteCertificateChainErrors) != SslPolicyErrors.None)
            return false;
        using var own = new X509Chain();
        own.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        own.ChainPolicy.CustomTrustStore.AddRange(authorities);
        own.ChainPolicy.ApplicationPolicy.Add(new Oid(ServerAuthentication));
        own.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        if (chain is not null)
            own.ChainPolicy.ExtraStore.AddRange(chain.ChainPolicy.ExtraStore);
        return own.Build(certificate);
    }

    private static X509Certificate2Collection ReadAuthorities(string file)
    {
        X509Certificate2Collection authorities = [];
        try
        {
            authorities.ImportFromPemFile(file);
        }
        catch (Exception failure) when (IsOfAFile(failure))
        {
            throw Unusable(nameof(ConsulOptions.AuthorityFile), file, failure.Message, failure);
        }

        return authorities.Count > 0
            ? authorities
            : throw Unusable(nameof(ConsulOptions.AuthorityFile), file, "It holds no certificate.", null);
    }

    private static X509Certificate2 ReadOwn(string file, string? keyFile)
    {
        try
        {
            using var read = X509Certificate2.CreateFromPemFile(file, keyFile ?? file);

            // Windows cannot use a key for TLS that exists only in memory.
            return X509CertificateLoader.LoadPkcs12(read.Export(X509ContentType.Pkcs12), null);
        }
        catch (Exception failure) when (IsOfAFile(failure))
        {
            throw Unusable(
                nameof(ConsulOptions.CertificateFile),
                file,
                $"{failure.Message} Its private key is expected in '{keyFile ?? file}' "
                + $"({Path}:{nameof(ConsulOptions.KeyFile)}).",
                failure);
        }
    }

    private static bool IsOfAFile(Exception failure) =>
        failure is IOException or UnauthorizedAccessException or CryptographicException or ArgumentException;

    private static AuthenticationException Unusable(string option, string file, string why, Exception? cause) =>
        new($"{Path}:{option} '{file}' cannot be used: {why} Give PEM files that this process may read.", cause);
}
