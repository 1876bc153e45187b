namespace Cluster.Nodes.Status;

/// <summary>One node's figures at one moment, as <see cref="INodeStatus"/> reports them. Filled once, then only
/// read.</summary>
public sealed class NodeStatus
{
    /// <summary>The node's configured name.</summary>
    public string Name { get; init; } = "";

    /// <summary>Its incarnation.</summary>
    public Guid Incarnation { get; init; }

    /// <summary>What its clock showed when it answered; the default where a node of an older version answers.</summary>
    public DateTimeOffset UtcNow { get; init; }

    /// <summary>The version of the table it acts on.</summary>
    public long TableVersion { get; init; }

    /// <summary>Whether it holds the coordinator lease.</summary>
    public bool IsCoordinator { get; init; }

    /// <summary>The partitions that it serves.</summary>
    public int[] Partitions { get; init; } = [];

    /// <summary>How many entries each of <see cref="Partitions"/> holds, at the same index, over all states.</summary>
    public long[] PartitionEntries { get; init; } = [];

    /// <summary>The names of its states.</summary>
    public string[] States { get; init; } = [];

    /// <summary>How many entries each of <see cref="States"/> has on this node, at the same index.</summary>
    public long[] StateEntries { get; init; } = [];

    /// <summary>How many entries all nodes hold, as this node has counted them last. When it coordinates, a loss is
    /// announced from these counts.</summary>
    public long EntriesCounted { get; init; }

    /// <summary>Bytes of the pile in use.</summary>
    public long PileBytes { get; init; }

    /// <summary>The pile's budget.</summary>
    public long PileBudgetBytes { get; init; }

    /// <summary>Managed heap in use, in bytes.</summary>
    public long ManagedBytes { get; init; }

    /// <summary>The longest pause of the garbage collector since the node was first asked for its status.</summary>
    public TimeSpan GcPauseMax { get; init; }

    /// <summary>State operations that other processes have asked of this node, since its start.</summary>
    public long StateCalls { get; init; }

    /// <summary>Entries that are known to have been lost since this node started.</summary>
    public long EntriesLost { get; init; }
}
