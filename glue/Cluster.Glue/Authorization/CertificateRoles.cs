using System.Security.Cryptography.X509Certificates;
using Cluster.Glue.Tls;

namespace Cluster.Glue.Authorization;

/// <summary>Gives roles to the certificates of clients, as <see cref="GlueTlsOptions"/> say. Immutable.</summary>
internal sealed class CertificateRoles
{
    private readonly GlueRoleRule[] _rules;
    private readonly Func<X509Certificate2, IEnumerable<string>>? _selector;

    private CertificateRoles(GlueTlsOptions? options)
    {
        _rules = options is null ? [] : [.. options.Roles];
        _selector = options?.RoleSelector;
    }

    public bool AreMapped => _rules.Length > 0 || _selector is not null;

    public static CertificateRoles Of(GlueTlsOptions? options) => new(options);

    /// <summary>The user of a certificate that is trusted.</summary>
    public CertificateIdentity IdentityOf(X509Certificate2 certificate)
    {
        var names = CertificateNames.Of(certificate);
        var roles = _rules.Where(rule => Fits(rule, certificate, names)).Select(rule => rule.Role);
        if (_selector is not null)
            roles = roles.Concat(_selector(certificate));
        return new CertificateIdentity(certificate, names, [.. roles.Distinct(StringComparer.Ordinal)]);
    }

    /// <summary>Whether a caller may call services for peers, apart from the peers' secret.</summary>
    public bool IsNode(CallerIdentity caller) => !AreMapped || caller.IsNode;

    private static bool Fits(GlueRoleRule rule, X509Certificate2 certificate, CertificateNames names) =>
        (rule.Name is null || FitsName(rule.Name, names))
            && (rule.Uri is null || Array.Exists(names.Uris, uri => FitsUri(rule.Uri, uri)))
            && (rule.Authority is null || FitsAuthority(rule.Authority, certificate));

    private static bool FitsName(string wanted, CertificateNames names) =>
        names.Dns.Length > 0
            ? Array.Exists(names.Dns, name => FitsName(wanted, name))
            : names.Common is { } common && FitsName(wanted, common);

    private static bool FitsName(string wanted, string name)
    {
        if (!wanted.StartsWith("*.", StringComparison.Ordinal))
            return string.Equals(wanted, name, StringComparison.OrdinalIgnoreCase);
        var dot = name.IndexOf('.', StringComparison.Ordinal);
        return dot > 0 && name.AsSpan(dot).Equals(wanted.AsSpan(1), StringComparison.OrdinalIgnoreCase)
            && !name.StartsWith('*');
    }

    private static bool FitsUri(string wanted, string uri) =>
        wanted.EndsWith('*')
            ? uri.StartsWith(wanted[..^1], StringComparison.Ordinal)
            : string.Equals(wanted, uri, StringComparison.Ordinal);

    private static bool FitsAuthority(string wanted, X509Certificate2 certificate) =>
        string.Equals(wanted, certificate.Issuer, StringComparison.Ordinal)
            || string.Equals(
                wanted, certificate.GetNameInfo(X509NameType.SimpleName, forIssuer: true), StringComparison.Ordinal);
}
