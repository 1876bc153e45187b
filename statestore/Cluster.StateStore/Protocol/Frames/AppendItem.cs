using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;

namespace Cluster.StateStore.Protocol.Frames;

/// <summary>Entries of one partition on their way to a backup. Immutable.</summary>
/// <param name="Partition">The partition.</param>
/// <param name="Epoch">The epoch of the primary.</param>
/// <param name="Previous">The entry before the first one.</param>
/// <param name="Committed">What the primary has committed.</param>
/// <param name="Entries">The entries; none where only the commit is news.</param>
internal sealed record AppendItem(
    PartitionId Partition,
    long Epoch,
    EntryId Previous,
    EntryId Committed,
    ImmutableArray<LoggedEntry> Entries)
{
    /// <summary>The number of the scan that the target of a copy takes its records from; zero for members in
    /// sync.</summary>
    public long Scan { get; init; }
}
