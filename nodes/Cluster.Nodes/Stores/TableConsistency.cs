namespace Cluster.Nodes.Stores;

/// <summary>Whether a read of the table may come from a copy that lags behind.</summary>
public enum TableConsistency
{
    /// <summary>Any copy: cheap, works without a leader, may be old. Good enough for routing.</summary>
    Stale,

    /// <summary>The newest table. Needed before any decision.</summary>
    Consistent,
}
