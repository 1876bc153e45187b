using Cluster.Glue.Filters;
using Microsoft.AspNetCore.Authorization;

namespace Cluster.Glue.Settings;

/// <summary>What <c>AddService</c> was told. Immutable; collected in the container.</summary>
internal sealed record ServiceRegistration(Type Contract, Type Implementation, GlueInstanceMode Mode)
{
    /// <summary>The filters of its calls; null: none of its own.</summary>
    public GlueFilters? Filters { get; init; }

    public GlueAudience Audience { get; init; }

    /// <summary>What the builder asks of all its callers.</summary>
    public IReadOnlyList<IAuthorizeData> Demands { get; init; } = [];

    /// <summary>Calls go to objects that are found by a handle.</summary>
    public bool HasInstances => Mode is GlueInstanceMode.Stateful or GlueInstanceMode.AutoConstructed;
}
