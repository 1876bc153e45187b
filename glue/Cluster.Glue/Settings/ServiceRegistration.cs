using Cluster.Glue.Filters;
using Microsoft.AspNetCore.Authorization;

namespace Cluster.Glue.Settings;

/// <summary>The arguments of one call of <c>AddService</c>. Immutable; collected in the container.</summary>
internal sealed record ServiceRegistration(Type Contract, Type Implementation, GlueInstanceMode Mode)
{
    /// <summary>The filters of its calls; null: none of its own.</summary>
    public GlueFilters? Filters { get; init; }

    public GlueAudience Audience { get; init; }

    /// <summary>The authorization demands of the builder on all its callers.</summary>
    public IReadOnlyList<IAuthorizeData> Demands { get; init; } = [];

    /// <summary>Whether calls go to objects that are found by a handle.</summary>
    public bool HasInstances => Mode is GlueInstanceMode.Stateful or GlueInstanceMode.AutoConstructed;
}
