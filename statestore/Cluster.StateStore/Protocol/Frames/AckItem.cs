using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Frames;

/// <summary>What a backup has of one partition. Immutable.</summary>
/// <param name="Partition">The partition.</param>
/// <param name="Epoch">The epoch of the frame that it answers.</param>
/// <param name="Verdict">What became of the entries.</param>
/// <param name="Matched">Up to this entry, the backup's log is that of the primary; after a gap, the entry to go on
/// from.</param>
/// <param name="Scan">The scan of the frame that it answers.</param>
internal readonly record struct AckItem(
    PartitionId Partition, long Epoch, AppendVerdict Verdict, EntryId Matched, long Scan);
