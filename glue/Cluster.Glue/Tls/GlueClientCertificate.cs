namespace Cluster.Glue.Tls;

/// <summary>Whether a server asks its clients for certificates.</summary>
public enum GlueClientCertificate
{
    /// <summary>It asks for none.</summary>
    None = 0,

    /// <summary>A client may show one. One that is shown and cannot be trusted is refused.</summary>
    Optional,

    /// <summary>Each client must show one that can be trusted.</summary>
    Required,
}
