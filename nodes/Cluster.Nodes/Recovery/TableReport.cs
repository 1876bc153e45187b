namespace Cluster.Nodes.Recovery;

/// <summary>What a node tells with <see cref="ITableReports"/>. Filled once, then only read.</summary>
public sealed class TableReport
{
    /// <summary>The incarnation of the node.</summary>
    public Guid Incarnation { get; init; }

    /// <summary>The cluster that it belongs to.</summary>
    public Guid ClusterId { get; init; }

    /// <summary>The version of the newest table that it knows.</summary>
    public long TableVersion { get; init; }

    /// <summary>Whether the node itself finds that the store holds no cluster any more.</summary>
    public bool FindsStoreEmptied { get; init; }
}
