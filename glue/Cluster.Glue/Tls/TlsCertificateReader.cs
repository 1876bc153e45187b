using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Cluster.Glue.Tls;

/// <summary>Makes a <see cref="TlsCertificate"/> from options and files. Stateless.</summary>
internal static class TlsCertificateReader
{
    /// <exception cref="CertificateException">The certificate cannot be used; the message says why and what to
    /// change.</exception>
    public static TlsCertificate Read(GlueTlsOptions options)
    {
        var authorities = options.Authorities.Count > 0
            ? [.. options.Authorities]
            : ReadAuthorities(options.AuthorityFile);
        (X509Certificate2 own, X509Certificate2Collection above)? pair = ReadOwn(options);
        if (pair is not { } found)
            return new TlsCertificate(null, authorities);
        Check(found.own);
        return new TlsCertificate(
            SslStreamCertificateContext.Create(found.own, found.above, offline: true), authorities);
    }

    private static (X509Certificate2 Own, X509Certificate2Collection Above)? ReadOwn(GlueTlsOptions options)
    {
        if (options.CertificateFile is { } file)
            return ReadPair(file, options.KeyFile);
        if (options.CertificateSelector is { } selector)
        {
            return (selector() ?? throw new CertificateException(
                "Tls:CertificateSelector gave no certificate; let it give one with its private key."), []);
        }

        return options.Certificate is { } given ? (given, []) : null;
    }

    private static (X509Certificate2 Own, X509Certificate2Collection Above) ReadPair(string file, string? keyFile)
    {
        try
        {
            X509Certificate2Collection above = [];
            above.ImportFromPemFile(file);
            using var read = X509Certificate2.CreateFromPemFile(file, keyFile ?? file);
            // Windows cannot use a key for TLS that exists only in memory.
            var own = X509CertificateLoader.LoadPkcs12(read.Export(X509ContentType.Pkcs12), null);
            return (own, [.. above.Skip(1)]);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException
            or CryptographicException or ArgumentException)
        {
            throw new CertificateException(
                $"Tls:CertificateFile '{file}' with Tls:KeyFile '{keyFile ?? file}' cannot be used: "
                + $"{exception.Message} Give PEM files of a certificate and of the private key that belongs to it.",
                exception);
        }
    }

    private static X509Certificate2Collection ReadAuthorities(string? file)
    {
        X509Certificate2Collection authorities = [];
        if (file is null)
            return authorities;
        try
        {
            authorities.ImportFromPemFile(file);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException
            or CryptographicException)
        {
            throw new CertificateException(
                $"Tls:AuthorityFile '{file}' cannot be read: {exception.Message} Give a PEM file with the "
                + "certificates of the authorities that this side trusts.",
                exception);
        }

        return authorities.Count > 0
            ? authorities
            : throw new CertificateException(
                $"Tls:AuthorityFile '{file}' holds no certificate: nobody could be trusted. Give a PEM file with the "
                + "certificates of the authorities.");
    }

    private static void Check(X509Certificate2 own)
    {
        if (!own.HasPrivateKey)
        {
            throw new CertificateException(
                $"The certificate of {CertificateJudge.NameOf(own)} has no private key; give both (Tls:KeyFile).");
        }

        if (CertificateJudge.ProblemOfTime(own) is { } problem)
            throw new CertificateException($"{problem}; give one that is valid now (Tls:CertificateFile).");
    }
}
