using System.Security.Cryptography.X509Certificates;
using Cluster.Glue.Authorization;

namespace Cluster.Glue.Tls;

/// <summary>The certificate that one side of TLS shows, and which certificates it trusts. There are three ways to give
/// a certificate (<see cref="Certificate"/>, <see cref="CertificateSelector"/>, <see cref="CertificateFile"/>): use one
/// of them. A certificate can be changed without a restart: each new connection shows the current one.</summary>
public sealed class GlueTlsOptions
{
    /// <summary>A certificate with its private key.</summary>
    /// <value>Default: null.</value>
    public X509Certificate2? Certificate { get; set; }

    /// <summary>Returns the certificate with its private key for each new connection. When it throws or returns null,
    /// the last certificate is shown and a warning is logged.</summary>
    /// <value>Default: null.</value>
    public Func<X509Certificate2?>? CertificateSelector { get; set; }

    /// <summary>A PEM file with the certificate and, behind it, those of the authorities between it and the root. It is
    /// read again when it has changed. A new pair that cannot be used is refused with a warning, and the old one stays
    /// in use.</summary>
    /// <value>Default: null.</value>
    public string? CertificateFile { get; set; }

    /// <summary>A PEM file with the private key; null: it is in <see cref="CertificateFile"/>.</summary>
    /// <value>Default: null.</value>
    public string? KeyFile { get; set; }

    /// <summary>A PEM file with the certificates of the only authorities that this side trusts; it is read again when
    /// it has changed. Null: this side trusts the authorities that the machine trusts.</summary>
    /// <value>Default: null.</value>
    public string? AuthorityFile { get; set; }

    /// <summary>The only authorities that this side trusts, instead of those in <see cref="AuthorityFile"/>. Empty: the
    /// file is used.</summary>
    public X509Certificate2Collection Authorities { get; } = [];

    /// <summary>Servers only: whether clients are asked for certificates.</summary>
    /// <value>Default: <see cref="GlueClientCertificate.None"/>.</value>
    public GlueClientCertificate ClientCertificate { get; set; }

    /// <summary>Servers only: which certificates of clients have which roles. Where this or <see cref="RoleSelector"/>
    /// is set, services of <see cref="GlueAudience.Peers"/> are served only to certificates with
    /// <see cref="GlueRoles.Node"/>. Such a caller has to prove the secret of peers, too.</summary>
    public IList<GlueRoleRule> Roles { get; } = [];

    /// <summary>Servers only: returns further roles for the certificate of a client, which is already trusted. Called
    /// for each connection, from many threads. An exception is logged, and the caller then counts as unknown.</summary>
    /// <value>Default: null.</value>
    public Func<X509Certificate2, IEnumerable<string>>? RoleSelector { get; set; }

    /// <summary>Clients only: the name that the server's certificate must bear. Null: the host of the
    /// address.</summary>
    /// <value>Default: null.</value>
    public string? ServerName { get; set; }

    /// <summary>How often, at most, the files are checked for changes. From 1 second to 1 day.</summary>
    /// <value>Default: 10 seconds.</value>
    public TimeSpan ReloadInterval { get; set; } = TimeSpan.FromSeconds(10);
}
