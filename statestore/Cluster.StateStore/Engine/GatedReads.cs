using Cluster.Pile.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Shards;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Engine;

/// <summary>Reads committed records without the engine's lock, where the gate of the partition is open before and after
/// the read. Thread-safe.</summary>
/// <param name="options">Clock, hash and records.</param>
/// <param name="gates">The gates.</param>
/// <param name="shard">Knows the time of a partition.</param>
internal sealed class GatedReads(EngineOptions options, ReadGates gates, ReplicaShard shard)
{
    private long Monotonic => options.Time.GetElapsedTime(0, options.Time.GetTimestamp()).Ticks;

    /// <summary>Returns the partition time, in ticks of UTC.</summary>
    public long TimeOf(PartitionId partition) => shard.TimeOf(partition, Monotonic);

    /// <summary>Reads a record of a served partition.</summary>
    /// <param name="key">The key.</param>
    /// <param name="partition">Its partition.</param>
    /// <param name="into">Gets stamp and value, if they fit.</param>
    /// <param name="length">The bytes of both; zero without a record. If it is larger than the memory, nothing was
    /// copied.</param>
    /// <returns>Whether the partition is served here.</returns>
    public bool TryRead(in HashedKey key, PartitionId partition, Span<byte> into, out int length)
    {
        length = 0;
        if (!IsOpen(partition))
            return false;
        var isFound = TryReadRecord(key, partition, into, out var found);

        // The lease may have ended during the read, and with it the right to answer.
        if (!IsOpen(partition))
            return false;
        length = isFound && (found > into.Length || IsAlive(RecordStamp.Read(into), partition)) ? found : 0;
        return true;
    }

    /// <summary>Reads a record of a backup whose content is new enough, as <see cref="TryRead"/> does.</summary>
    /// <param name="key">The key.</param>
    /// <param name="partition">Its partition.</param>
    /// <param name="maxAge">How old the content may be.</param>
    /// <param name="into">Gets stamp and value, if they fit.</param>
    /// <param name="length">As for <see cref="TryRead"/>.</param>
    /// <returns>Whether the content is new enough.</returns>
    public bool TryReadStale(
        in HashedKey key, PartitionId partition, TimeSpan maxAge, Span<byte> into, out int length)
    {
        length = 0;
        if (!IsFresh(partition, maxAge))
            return false;
        var isFound = TryReadRecord(key, partition, into, out var found);

        // The content may have been dropped during the read.
        if (!IsFresh(partition, maxAge))
            return false;
        length = isFound && (found > into.Length || !IsOverAtBackup(RecordStamp.Read(into), partition)) ? found : 0;
        return true;
    }

    /// <summary>Reads the next records of one state in a served partition.</summary>
    /// <param name="target">State, partition and place.</param>
    /// <param name="count">About how many records the partition has.</param>
    /// <param name="cursor">Where the next part begins; zero at the end.</param>
    /// <param name="records">The records.</param>
    /// <returns>Whether the partition is served here.</returns>
    public bool TryScan(
        in ScanTarget target, long count, out ulong cursor, out IReadOnlyCollection<RecordImage> records)
    {
        var partition = target.Partition;
        var table = options.Tables[options.Hash.SetOf(partition), target.State];
        var scan = new PartitionScan(table, options.Hash, target.WithValues);
        cursor = 0;
        records = scan.Records;
        if (!IsOpen(partition))
            return false;
        cursor = scan.Read(partition, target.Cursor, count, stamp => !IsAlive(stamp, partition));
        return IsOpen(partition);
    }

    private bool TryReadRecord(in HashedKey key, PartitionId partition, Span<byte> into, out int length) =>
        options.Tables[options.Hash.SetOf(partition), key.StateId].TryRead(key.Hash, key.Bytes, into, out length);

    // A lease without an end needs no clock.
    private bool IsOpen(PartitionId partition)
    {
        var until = gates.UntilOf(partition);
        return until == long.MaxValue || Monotonic < until;
    }

    private bool IsFresh(PartitionId partition, TimeSpan maxAge) =>
        gates.FreshAt(partition) is > 0 and var at && Monotonic - at <= maxAge.Ticks;

    private bool IsAlive(in RecordStamp stamp, PartitionId partition) => stamp.Time == 0
        || (stamp.Time != PartitionTotals.Removed && !LifeEnd.IsOver(stamp.Time, TimeOf(partition)));

    // Only the primary's clock ends a life, so its time counts, as far as this backup knows it.
    private bool IsOverAtBackup(in RecordStamp stamp, PartitionId partition) => stamp.Time != 0
        && (stamp.Time == PartitionTotals.Removed || LifeEnd.IsOver(stamp.Time, shard.BackupTimeOf(partition)));
}
