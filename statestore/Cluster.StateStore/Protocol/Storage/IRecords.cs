using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>The committed records of a node's partitions. Part of the state of the protocol: it never waits, and the
/// same calls give the same answers. Nothing here expires or is evicted by itself. Used under the shard's
/// lock.</summary>
internal interface IRecords
{
    /// <summary>Finds a record without its value, also one whose life is over.</summary>
    bool TryPeek(PartitionId partition, in StateKey key, out RecordPeek record);

    /// <summary>Finds a record, also one whose life is over.</summary>
    bool TryFind(PartitionId partition, in StateKey key, out RecordImage record);

    /// <summary>Returns whether an entry of this size can be applied later.</summary>
    bool HasRoom(PartitionId partition, int bytes);

    /// <summary>Applies a committed entry. An older version never replaces a newer one.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="entry">The entry.</param>
    /// <param name="keepsTombstone">Whether a removal leaves a mark, so that a copy cannot bring the record
    /// back.</param>
    /// <returns>False if there is no room; nothing was changed.</returns>
    bool Apply(PartitionId partition, in LogEntry entry, bool keepsTombstone);

    /// <summary>Takes a record of a copy, unless this or a newer version, or a newer removal, is known.</summary>
    /// <returns>False if there is no room; nothing was changed.</returns>
    bool Load(PartitionId partition, in RecordImage record);

    /// <summary>Adds the next records to a list. Records that change during the scan appear before or after the
    /// change.</summary>
    /// <returns>False when there are no more.</returns>
    bool Scan(PartitionId partition, ScanCursor cursor, int bytesMax, List<RecordImage> into);

    /// <summary>Adds records whose life is over at a partition time to a list, without their values. One call may look
    /// only at a part of the records.</summary>
    void FindExpired(PartitionId partition, long time, int countMax, List<RecordImage> into);

    /// <summary>Counts what an earlier process has left of a partition. Call it before anything else of the
    /// partition.</summary>
    /// <returns>False: nothing is there.</returns>
    bool Recount(PartitionId partition);

    /// <summary>Forgets the marks of removals.</summary>
    void ForgetTombstones(PartitionId partition);

    /// <summary>Removes records and marks.</summary>
    /// <returns>True when nothing is left.</returns>
    bool DropSlice(PartitionId partition, int countMax);

    /// <summary>Returns what a partition contains.</summary>
    PartitionSums SumsOf(PartitionId partition);
}
