using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Engine.Snapshots;

/// <summary>What a node has to do with a partition at one moment. Immutable.</summary>
/// <param name="Id">The partition.</param>
/// <param name="IsHeld">Whether the node has all that is committed of it.</param>
/// <param name="Committed">What is committed, if it does.</param>
/// <param name="IsWithOthers">Whether living nodes that save snapshots hold it, and not this one.</param>
internal readonly record struct HeldPartition(PartitionId Id, bool IsHeld, EntryId Committed, bool IsWithOthers)
{
    /// <summary>Whether the contents of the partition were lost at some time. Older snapshots of it may lie
    /// anywhere.</summary>
    public bool WasLost { get; init; }

    /// <summary>Whether nothing was ever written, so that a snapshot would have nothing.</summary>
    public bool IsBlank => !WasLost && Committed == default;
}
