using Cluster.Glue.Tls;

namespace Cluster.Glue.Authorization;

/// <summary>The roles that <see cref="GlueTlsOptions.Roles"/> may give to the certificates of clients: values of claims
/// of the type <see cref="System.Security.Claims.ClaimTypes.Role"/>. Other names are allowed too.</summary>
public static class GlueRoles
{
    /// <summary>A node of the cluster. Where roles are mapped, services of <see cref="GlueAudience.Peers"/> need
    /// it.</summary>
    public const string Node = "glue-node";

    /// <summary>A process that uses the cluster's services.</summary>
    public const string Client = "glue-client";

    /// <summary>A person or a tool that may change what the cluster does.</summary>
    public const string Operator = "glue-operator";
}
