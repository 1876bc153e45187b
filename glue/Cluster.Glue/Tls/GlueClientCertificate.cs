namespace Cluster.Glue.Tls;

/// <summary>Whether a server asks its clients for certificates.</summary>
public enum GlueClientCertificate
{
    /// <summary>The server asks for no certificate.</summary>
    None = 0,

    /// <summary>A client may show a certificate. If it shows one that is not trusted, it is refused.</summary>
    Optional,

    /// <summary>Each client must show a trusted certificate.</summary>
    Required,
}
