using Cluster.Glue.Filters;
using Cluster.Glue.Resilience;

namespace Cluster.Glue;

/// <summary>What one proxy may have of its own. Copied when the proxy is made.</summary>
public sealed class GlueProxyOptions
{
    /// <summary>The filters of its calls, within those of the client and of the binding.</summary>
    public GlueFilters Filters { get; } = new();

    /// <summary>What is done about its failing calls; null: nothing, and it costs nothing.</summary>
    /// <value>Default: null.</value>
    public GlueResilienceOptions? Resilience { get; set; }
}
