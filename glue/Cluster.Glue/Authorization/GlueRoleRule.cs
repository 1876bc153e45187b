namespace Cluster.Glue.Authorization;

/// <summary>Gives a role to the certificates of clients that fit. All that is set has to fit, and at least one of
/// <see cref="Name"/>, <see cref="Uri"/> and <see cref="Authority"/> is set. Bound from
/// <c>Glue:Server:Tls:Roles:0:Role</c> and so on.</summary>
public sealed class GlueRoleRule
{
    /// <summary>The role, such as <see cref="GlueRoles.Node"/>.</summary>
    public string Role { get; set; } = "";

    /// <summary>A DNS name that the certificate bears, or the common name of its subject where it bears no DNS name.
    /// <c>*.nodes.example</c> stands for all names with one label more. Case does not count.</summary>
    /// <value>Default: null, any.</value>
    public string? Name { get; set; }

    /// <summary>A URI that the certificate bears, such as <c>spiffe://example/node</c>. A <c>*</c> at its end stands
    /// for all URIs that begin so.</summary>
    /// <value>Default: null, any.</value>
    public string? Uri { get; set; }

    /// <summary>The distinguished name, or the common name, of the authority that has signed the certificate.</summary>
    /// <value>Default: null, any that is trusted.</value>
    public string? Authority { get; set; }
}
