using Cluster.Contracts;
using Cluster.Pile.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.Testing.Simulation.Core;

/// <summary>The records of a node in tables of a pile, compared with sorted maps at each call. Used by one
/// thread.</summary>
/// <param name="model">The maps.</param>
/// <param name="hash">The hash of the cluster.</param>
/// <param name="table">The table of the only state.</param>
internal sealed class MirroredRecords(SimulatedRecords model, PartitionHash hash, StampedTable table) : IRecords
{
    private readonly PileRecords _real = new(hash, new StateTables((_, _) => table));
    private readonly Dictionary<StateKey, StateKey> _keys = [];

    public bool TryPeek(PartitionId partition, in StateKey key, out RecordPeek record)
    {
        var isFound = _real.TryPeek(partition, RealOf(partition, key), out record);
        var isExpected = model.TryPeek(partition, key, out var expected);
        Check(isFound == isExpected && record == expected, partition, $"{record} is found, {expected} expected");
        return isFound;
    }

    public bool TryFind(PartitionId partition, in StateKey key, out RecordImage record)
    {
        var isFound = _real.TryFind(partition, RealOf(partition, key), out record);
        var isExpected = model.TryFind(partition, key, out var expected);
        var isSame = isFound == isExpected
            && record.Version == expected.Version
            && record.Expiry == expected.Expiry
            && record.Value.Span.SequenceEqual(expected.Value.Span);
        Check(isSame, partition, $"{record} is found, {expected} expected");
        record = record with { Key = key };
        return isFound;
    }

    public bool HasRoom(PartitionId partition, int bytes) => _real.HasRoom(partition, bytes);

    public bool Apply(PartitionId partition, in StateStore.Protocol.Logs.LogEntry entry, bool keepsTombstone)
    {
        if (!_real.Apply(partition, entry with { Key = RealOf(partition, entry.Key) }, keepsTombstone))
            return false;
        model.Apply(partition, entry, keepsTombstone);
        CheckCount(partition);
        TryFind(partition, entry.Key, out _);
        return true;
    }

    public bool Load(PartitionId partition, in RecordImage record)
    {
        if (!_real.Load(partition, record with { Key = RealOf(partition, record.Key) }))
            return false;
        model.Load(partition, record);
        CheckCount(partition);
        TryFind(partition, record.Key, out _);
        return true;
    }

    public bool Scan(PartitionId partition, ScanCursor cursor, int bytesMax, List<RecordImage> into)
    {
        var first = into.Count;
        var hasMore = _real.Scan(partition, cursor, bytesMax, into);
        for (var index = first; index < into.Count; index++)
        {
            into[index] = into[index] with { Key = NameOf(into[index].Key) };
            TryFind(partition, into[index].Key, out var now);
            Check(now.Value.Span.SequenceEqual(into[index].Value.Span), partition, $"{into[index]} is scanned");
        }

        return hasMore;
    }

    public void FindExpired(PartitionId partition, long time, int countMax, List<RecordImage> into)
    {
        _real.FindExpired(partition, time, countMax, into);
        for (var index = 0; index < into.Count; index++)
        {
            into[index] = into[index] with { Key = NameOf(into[index].Key) };
            var isExpected = model.TryFind(partition, into[index].Key, out var record) && record.IsOver(time);
            Check(isExpected, partition, $"{into[index]} counts as expired");
        }
    }

    public bool Recount(PartitionId partition) => _real.Recount(partition);

    public void ForgetTombstones(PartitionId partition)
    {
        model.ForgetTombstones(partition);
        _real.ForgetTombstones(partition);
        CheckCount(partition);
    }

    public bool DropSlice(PartitionId partition, int countMax)
    {
        var isEmpty = _real.DropSlice(partition, countMax);
        while (model.SumsOf(partition).Count > _real.SumsOf(partition).Count)
            model.DropSlice(partition, 1);
        if (isEmpty)
            model.DropSlice(partition, 0);
        CheckCount(partition);
        return isEmpty;
    }

    public PartitionSums SumsOf(PartitionId partition) => model.SumsOf(partition);

    // The simulator chooses partitions by itself, so a last byte leads the hash to the partition.
    private StateKey RealOf(PartitionId partition, in StateKey key)
    {
        if (_keys.TryGetValue(key, out var known))
            return known;
        byte[] bytes = [.. key.Bytes.Span, 0];
        while (hash.PartitionOf(hash.Hash(bytes)) != partition)
            bytes[^1] = checked((byte)(bytes[^1] + 1));
        return _keys[key.Copy()] = key with { Bytes = bytes };
    }

    private static StateKey NameOf(in StateKey real) => real with { Bytes = real.Bytes[..^1] };

    private void CheckCount(PartitionId partition)
    {
        var (count, expected) = (_real.SumsOf(partition).Count, model.SumsOf(partition).Count);
        Check(count == expected, partition, $"{count} records are counted, {expected} expected");
    }

    private static void Check(bool isRight, PartitionId partition, string found) =>
        Invariant.Check(isRight, "I9", $"partition {partition}: {found}");
}
