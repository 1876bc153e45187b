using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>What the shell is to do after a call of the core: messages to members and answers to operations, in this
/// order. The shell runs them outside the shard's lock and clears the lists before the next call. Entries in frames
/// point into the log, so the shell writes them out at once. Used by one thread.</summary>
internal sealed class Effects
{
    /// <summary>Frames by receiver.</summary>
    public List<(NodeSlot To, object Frame)> Messages { get; } = [];

    /// <summary>Operations that have ended.</summary>
    public List<(object Operation, WriteAnswer Answer)> Completions { get; } = [];

    /// <summary>Losses of content that this node found out by the table, with the records that it held.</summary>
    public List<(PartitionId Partition, int LossCount, long Records)> Losses { get; } = [];

    /// <summary>Lost partitions whose snapshots the node shall find, with the epochs of the losses.</summary>
    public List<(PartitionId Partition, long Epoch)> SnapshotsWanted { get; } = [];

    /// <summary>Partitions whose snapshots the node shall load, with the epochs of the losses.</summary>
    public List<(PartitionId Partition, long Epoch)> Restorations { get; } = [];

    /// <summary>A table of at least this version stands in the store, as another node says; zero: nobody says
    /// so.</summary>
    public long HintedVersion { get; set; }

    /// <summary>Whether there is nothing to do. A hint alone is for the node's core.</summary>
    public bool IsEmpty => Messages.Count == 0
        && Completions.Count == 0
        && Losses.Count == 0
        && SnapshotsWanted.Count == 0
        && Restorations.Count == 0;

    public void Send(NodeSlot to, object frame) => Messages.Add((to, frame));

    public void Complete(object? operation, in WriteAnswer answer)
    {
        if (operation is not null)
            Completions.Add((operation, answer));
    }

    public void Hint(long version) => HintedVersion = Math.Max(HintedVersion, version);

    public void Clear()
    {
        Messages.Clear();
        Completions.Clear();
        Losses.Clear();
        SnapshotsWanted.Clear();
        Restorations.Clear();
        HintedVersion = 0;
    }
}
