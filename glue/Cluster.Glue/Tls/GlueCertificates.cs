using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Cluster.Glue.Tls;

/// <summary>Makes temporary certificates for development and tests: a new authority, and certificates from it. The
/// authority's key is never written anywhere. For production use an authority that is kept.</summary>
public sealed class GlueCertificates : IDisposable
{
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";
    private const string ClientAuthentication = "1.3.6.1.5.5.7.3.2";
    private const int SerialBytes = 16;

    private readonly X509Certificate2 _authority;
    private readonly TimeProvider _time;

    private GlueCertificates(X509Certificate2 authority, TimeProvider time)
    {
        _authority = authority;
        _time = time;
    }

    /// <summary>Makes an authority that is valid for 30 days.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="time">The clock; null: the system clock.</param>
    public static GlueCertificates CreateForDevelopment(
        string name = "Glue development", TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(name);
        var clock = time ?? TimeProvider.System;
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign, true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, false));
        var now = clock.GetUtcNow();
        return new GlueCertificates(request.CreateSelfSigned(now.AddDays(-1), now.AddDays(30)), clock);
    }

    /// <summary>The authority's certificate, without its key: for <see cref="GlueTlsOptions.Authorities"/>.</summary>
    public X509Certificate2 Authority => X509CertificateLoader.LoadCertificate(_authority.RawData);

    /// <summary>Makes a certificate with its private key, for servers and clients.</summary>
    /// <param name="names">The names and addresses that it bears, such as <c>localhost</c> and <c>127.0.0.1</c>; at
    /// least one.</param>
    /// <returns>Valid from an hour ago for 10 days.</returns>
    public X509Certificate2 Create(params string[] names)
    {
        var now = _time.GetUtcNow();
        return Create(now.AddHours(-1), now.AddDays(10), names);
    }

    /// <summary>Makes a certificate with its private key that is valid for a given time.</summary>
    /// <param name="notBefore">The start of its validity; not before that of the authority.</param>
    /// <param name="notAfter">The end of its validity; not after that of the authority.</param>
    /// <param name="names">The names and addresses that it bears; at least one.</param>
    public X509Certificate2 Create(DateTimeOffset notBefore, DateTimeOffset notAfter, params string[] names)
    {
        ArgumentNullException.ThrowIfNull(names);
        if (names.Length == 0)
            throw new ArgumentException("A certificate bears a name; give localhost or another one.", nameof(names));
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={names[0]}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension(
            [new Oid(ServerAuthentication), new Oid(ClientAuthentication)], false));
        var all = new SubjectAlternativeNameBuilder();
        foreach (var name in names)
        {
            if (IPAddress.TryParse(name, out var address))
                all.AddIpAddress(address);
            else
                all.AddDnsName(name);
        }

        request.CertificateExtensions.Add(all.Build());
        using var signed = request.Create(
            _authority, notBefore, notAfter, RandomNumberGenerator.GetBytes(SerialBytes));
        using var withKey = signed.CopyWithPrivateKey(key);
        // Windows cannot use a key for TLS that exists only in memory.
        return X509CertificateLoader.LoadPkcs12(
            withKey.Export(X509ContentType.Pkcs12), null, X509KeyStorageFlags.Exportable);
    }

    /// <summary>Destroys the authority's key.</summary>
    public void Dispose() => _authority.Dispose();
}
