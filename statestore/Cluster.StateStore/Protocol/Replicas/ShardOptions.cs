using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>What a shard is made of. Immutable.</summary>
internal sealed record ShardOptions
{
    /// <summary>The partitions that the cluster has at first.</summary>
    public required int PartitionCount { get; init; }

    /// <summary>The shard of the node that this is, counted from zero.</summary>
    public int Shard { get; init; }

    /// <summary>The shards of the node. A shard has the partitions whose number leaves its own after
    /// division.</summary>
    public int ShardCount { get; init; } = 1;

    public ProtocolTimes Times { get; init; } = new();

    /// <summary>The size of a chunk of the log.</summary>
    public int ChunkBytes { get; init; } = 1 << 20;

    /// <summary>How many bytes the logs may take before writes are refused.</summary>
    public long LogBytesMax { get; init; } = 256L << 20;

    /// <summary>How many bytes of the newest entries stay in the logs although no member needs them, for members that
    /// come back with what they had. Together with memory between them.</summary>
    public long LogBytesKept { get; init; }

    /// <summary>How many bytes of entries go into one frame.</summary>
    public int FrameBytes { get; init; } = 64 << 10;

    /// <summary>How many bytes of records go into one chunk of a copy.</summary>
    public int CopyBytes { get; init; } = 256 << 10;

    /// <summary>How many copies are sent at the same time.</summary>
    public int CopiesMax { get; init; } = 2;

    /// <summary>How many records are dropped at once.</summary>
    public int DropSlice { get; init; } = 1_000;

    /// <summary>How many expired records are removed at once.</summary>
    public int ExpiredMax { get; init; } = 64;

    /// <summary>The marks of the records, where they outlive the process; null: they do not.</summary>
    public IReplicaMarks? Marks { get; init; }

    /// <summary>Whether the node saves snapshots of its partitions.</summary>
    public bool KeepsSnapshots { get; init; }

    /// <summary>Learns what primaries apply; null: nobody does.</summary>
    public IChangeSink? Changes { get; init; }

    /// <summary>The mistake that a test builds in.</summary>
    public Mutant Mutant { get; init; }

    /// <summary>How <see cref="Mutant.RunAgainOnBackups"/> runs an operation again. Only tests set it.</summary>
    public Func<LogEntry, RecordImage?, ReadOnlyMemory<byte>>? RunAgain { get; init; }
}
