using Cluster.Glue.Filters;
using Cluster.Glue.Resilience;

namespace Cluster.Glue;

/// <summary>The options of one proxy. Copied when the proxy is made.</summary>
public sealed class GlueProxyOptions
{
    /// <summary>The filters of the proxy's calls; they run inside those of the client and of the binding.</summary>
    public GlueFilters Filters { get; } = new();

    /// <summary>How the proxy handles failing calls. Null: it does not, and there is no cost.</summary>
    /// <value>Default: null.</value>
    public GlueResilienceOptions? Resilience { get; set; }

    /// <summary>The longest time of a call of the proxy, all attempts together. It cuts the client's
    /// <see cref="GlueClientOptions.DefaultDeadline"/> and <see cref="GlueCall.WithDeadline"/>, and never extends them.
    /// More than zero, at most 1 day; null: it cuts nothing.</summary>
    /// <value>Default: null.</value>
    public TimeSpan? MaxDeadline { get; set; }
}
