using Cluster.Contracts;
using Cluster.Slim.Hosting;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.Testing.Simulation.Core;

/// <summary>Records in sorted maps, in the order of their keys, so that a run does not depend on hashes. Used by one
/// thread.</summary>
/// <param name="partitionCount">The partitions.</param>
/// <param name="changed">Gets, for each change, what takes it back; null: nobody wants to know.</param>
internal sealed class SimulatedRecords(int partitionCount, Action<Action>? changed = null) : IRecords
{
    private readonly SortedDictionary<StateKey, RecordImage>[] _records =
        [.. Enumerable.Range(0, partitionCount).Select(_ => new SortedDictionary<StateKey, RecordImage>())];

    private readonly Dictionary<StateKey, EntryId>[] _tombstones =
        [.. Enumerable.Range(0, partitionCount).Select(_ => new Dictionary<StateKey, EntryId>())];

    private readonly ulong[] _digests = new ulong[partitionCount];
    private readonly ulong[] _lastingDigests = new ulong[partitionCount];

    public bool TryFind(PartitionId partition, in StateKey key, out RecordImage record) =>
        _records[partition.Value].TryGetValue(key, out record);

    public bool TryPeek(PartitionId partition, in StateKey key, out RecordPeek record)
    {
        var isFound = TryFind(partition, key, out var found);
        record = new RecordPeek(found.Version, found.Expiry, found.Value.Length);
        return isFound;
    }

    public bool HasRoom(PartitionId partition, int bytes) => true;

    public bool Apply(PartitionId partition, in StateStore.Protocol.Logs.LogEntry entry, bool keepsTombstone)
    {
        var isKnown = TryFind(partition, entry.Key, out var known);
        switch (entry.Kind)
        {
            case EntryKind.Put:
                Set(partition, new RecordImage(entry.Key.Copy(), entry.Id, entry.Expiry, entry.Value.ToArray()));
                break;
            case EntryKind.Touch when isKnown:
                Set(partition, known with { Expiry = entry.Expiry });
                break;
            case EntryKind.Touch when entry.HasValue:
                Set(partition, new RecordImage(entry.Key.Copy(), entry.Version, entry.Expiry, entry.Value.ToArray()));
                break;
            case EntryKind.Remove or EntryKind.Expire:
                Remove(partition, entry.Key);
                if (keepsTombstone)
                    _tombstones[partition.Value][entry.Key.Copy()] = entry.Id;
                break;
        }

        return true;
    }

    public bool Load(PartitionId partition, in RecordImage record)
    {
        if (_tombstones[partition.Value].TryGetValue(record.Key, out var removed) && removed > record.Version)
            return true;
        if (TryFind(partition, record.Key, out var known) && known.Version >= record.Version)
            return true;
        Set(partition, record);
        return true;
    }

    public bool Scan(PartitionId partition, ScanCursor cursor, int bytesMax, List<RecordImage> into)
    {
        var bytes = 0;
        foreach (var (key, record) in _records[partition.Value])
        {
            if (cursor.Place is StateKey after && key.CompareTo(after) <= 0)
                continue;
            if (bytes >= bytesMax)
                return true;
            into.Add(record);
            bytes += key.Bytes.Length + record.Value.Length;
            cursor.Place = key;
        }

        return false;
    }

    public void FindExpired(PartitionId partition, long time, int countMax, List<RecordImage> into)
    {
        foreach (var record in _records[partition.Value].Values)
        {
            if (record.IsOver(time) && into.Count < countMax)
                into.Add(record);
        }
    }

    public bool Recount(PartitionId partition) => _records[partition.Value].Count > 0;

    public void ForgetTombstones(PartitionId partition) => _tombstones[partition.Value].Clear();

    public bool DropSlice(PartitionId partition, int countMax)
    {
        var records = _records[partition.Value];
        foreach (var key in records.Keys.Take(countMax).ToArray())
            Remove(partition, key);
        if (records.Count == 0)
            _tombstones[partition.Value].Clear();
        return records.Count == 0;
    }

    public PartitionSums SumsOf(PartitionId partition) =>
        new(_records[partition.Value].Count, 0, _digests[partition.Value]);

    /// <summary>Returns the digest of the records without an expiry. The others still expire at the end of a run, and
    /// backups hear of it a moment later.</summary>
    public ulong LastingDigestOf(PartitionId partition) => _lastingDigests[partition.Value];

    // A record is replaced in one step.
    private void Set(PartitionId partition, in RecordImage record)
    {
        var (set, isReplaced) = (record, TryTake(partition, record.Key, out var old));
        Add(partition, record);
        changed?.Invoke(() =>
        {
            TryTake(partition, set.Key, out _);
            if (isReplaced)
                Add(partition, old);
        });
    }

    private void Remove(PartitionId partition, in StateKey key)
    {
        if (TryTake(partition, key, out var removed))
            changed?.Invoke(() => Add(partition, removed));
    }

    private void Add(PartitionId partition, in RecordImage record)
    {
        _records[partition.Value].Add(record.Key, record);
        _digests[partition.Value] += DigestOf(record);
        if (record.Expiry == 0)
            _lastingDigests[partition.Value] += DigestOf(record);
    }

    private bool TryTake(PartitionId partition, in StateKey key, out RecordImage record)
    {
        if (!_records[partition.Value].Remove(key, out record))
            return false;
        _digests[partition.Value] -= DigestOf(record);
        if (record.Expiry == 0)
            _lastingDigests[partition.Value] -= DigestOf(record);
        return true;
    }

    private static ulong DigestOf(in RecordImage record) => SimulationRandom.Mix(
        XxHash3.Hash(record.Key.Bytes.Span)
        ^ SimulationRandom.Mix(XxHash3.Hash(record.Value.Span) + record.Version.Value + (ulong)record.Expiry));
}
