namespace Cluster.Glue.Resilience;

/// <summary>How many calls of one proxy may be under way, so that a slow contract leaves room for others.</summary>
public sealed class GlueBulkheadOptions
{
    /// <summary>Calls under way, each with all its attempts. From 1 to 65,536.</summary>
    /// <value>Default: 256.</value>
    public int MaxCalls { get; set; } = 256;

    /// <summary>Calls that wait for room, until their deadline; a further one fails at once. From 0 to
    /// 1,000,000.</summary>
    /// <value>Default: 0.</value>
    public int MaxWaiting { get; set; }
}
