using Microsoft.AspNetCore.Authorization;

namespace Cluster.Glue.Authorization;

/// <summary>The names of authorization policies that <c>AddGlueServer</c> registers: each asks for one role of
/// <see cref="GlueRoles"/>, as in <c>[Authorize(Policy = GluePolicies.Operator)]</c>.</summary>
public static class GluePolicies
{
    /// <summary>The caller has <see cref="GlueRoles.Node"/>.</summary>
    public const string Node = "Glue.Node";

    /// <summary>The caller has <see cref="GlueRoles.Client"/>.</summary>
    public const string Client = "Glue.Client";

    /// <summary>The caller has <see cref="GlueRoles.Operator"/>.</summary>
    public const string Operator = "Glue.Operator";

    internal static void Add(AuthorizationOptions options)
    {
        options.AddPolicy(Node, static policy => policy.RequireRole(GlueRoles.Node));
        options.AddPolicy(Client, static policy => policy.RequireRole(GlueRoles.Client));
        options.AddPolicy(Operator, static policy => policy.RequireRole(GlueRoles.Operator));
    }
}
