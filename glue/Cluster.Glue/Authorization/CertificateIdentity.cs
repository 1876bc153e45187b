using System.Security.Claims;
using System.Security.Cryptography.X509Certificates;

namespace Cluster.Glue.Authorization;

/// <summary>The user that the certificate of a client stands for, with the roles that the server gives it. A type of
/// its own, so that no token can pass for it.</summary>
internal sealed class CertificateIdentity : ClaimsIdentity
{
    public const string Scheme = "Certificate";

    public CertificateIdentity(X509Certificate2 certificate, CertificateNames names, string[] roles)
        : base(Scheme)
    {
        AddClaim(Claim(ClaimTypes.Thumbprint, certificate.Thumbprint));
        AddClaim(Claim(ClaimTypes.X500DistinguishedName, certificate.Subject));
        AddClaim(Claim(ClaimTypes.SerialNumber, certificate.SerialNumber));
        if (names.First is { } first)
            AddClaim(Claim(ClaimTypes.Name, first));
        foreach (var name in names.Dns)
            AddClaim(Claim(ClaimTypes.Dns, name));
        foreach (var uri in names.Uris)
            AddClaim(Claim(ClaimTypes.Uri, uri));
        foreach (var role in roles)
            AddClaim(Claim(ClaimTypes.Role, role));
        // A renewed certificate has the same names.
        Key = string.Join('\n', [certificate.Subject, .. names.Dns, .. names.Uris, .. roles.Order()]);
    }

    private CertificateIdentity(CertificateIdentity other)
        : base(other) => Key = other.Key;

    /// <summary>Tells this user from those of other certificates.</summary>
    public string Key { get; }

    public override ClaimsIdentity Clone() => new CertificateIdentity(this);

    private static Claim Claim(string type, string value) => new(type, value, ClaimValueTypes.String, Scheme);
}
