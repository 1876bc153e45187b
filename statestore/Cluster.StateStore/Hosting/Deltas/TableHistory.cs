using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting.Deltas;

/// <summary>What a process knows about the changes of the table: the newest tables, and for each member and partition
/// the version with which it changed last. From this it makes the delta from any version that it has known to a recent
/// one. Takes 8 bytes for each partition and for each recent table. A private lock protects the fields.</summary>
public sealed class TableHistory
{
    /// <summary>How many tables are kept. A delta leads to one of them.</summary>
    public const int MaxTables = 8;

    private readonly Lock _lock = new();
    private readonly Queue<RecentTable> _tables = new();
    private readonly Dictionary<NodeSlot, long> _slots = [];
    private ClusterTable? _newest;
    private long _first;
    private long[] _partitions = [];
    private long _sets;
    private long _deaths;

    /// <summary>Remembers a table that the store has confirmed. An older one than the newest is ignored.</summary>
    /// <param name="table">The table.</param>
    public void Add(ClusterTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        lock (_lock)
        {
            if (_newest is null)
                _first = table.Version;
            else if (table.Version <= _newest.Version)
                return;
            else
                NoteNeedsLock(_newest, table);
            Array.Resize(ref _partitions, table.Partitions.Length);
            _newest = table;
            _tables.Enqueue(new RecentTable(table));
            if (_tables.Count > MaxTables)
                _tables.Dequeue();
        }
    }

    /// <summary>Makes the delta from a version to a later one, or to the newest one where the later one is not known
    /// any more. Where this process has not known the first version itself, the delta may lack what changed and changed
    /// back meanwhile; then its digest does not fit.</summary>
    /// <param name="from">The version that is known.</param>
    /// <param name="to">The version that is wanted.</param>
    /// <returns>Null: the first version is older than all that this process has known, or the second one is not known
    /// yet.</returns>
    public TableDelta? Find(long from, long to)
    {
        lock (_lock)
        {
            if (_newest is null || from < _first || to <= from || to > _newest.Version)
                return null;
            var target = _tables.FirstOrDefault(recent => recent.Table.Version == to) ?? _tables.Last();
            return CollectNeedsLock(from, target.Table, target.Digest);
        }
    }

    private void NoteNeedsLock(ClusterTable before, ClusterTable after)
    {
        for (var index = 0; index < Math.Min(before.Partitions.Length, after.Partitions.Length); index++)
        {
            if (IsChanged(before.Partitions[index], after.Partitions[index]))
                _partitions[index] = after.Version;
        }

        // A set of partitions has begun.
        Array.Resize(ref _partitions, after.Partitions.Length);
        _partitions.AsSpan(Math.Min(before.Partitions.Length, after.Partitions.Length)..).Fill(after.Version);
        if (before.SetBackups != after.SetBackups || before.States != after.States)
            _sets = after.Version;
        if (!before.Deaths.SequenceEqual(after.Deaths))
            _deaths = after.Version;
        if (before.Members == after.Members)
            return;
        var previous = before.Members.ToDictionary(member => member.Slot);
        foreach (var member in after.Members)
        {
            if (!previous.Remove(member.Slot, out var known) || known != member)
                _slots[member.Slot] = after.Version;
        }

        foreach (var slot in previous.Keys)
            _slots[slot] = after.Version;
    }

    // Most entries are the same objects in both tables.
    private static bool IsChanged(PartitionEntry before, PartitionEntry after) =>
        !ReferenceEquals(before, after) && before != after;

    private TableDelta CollectNeedsLock(long from, ClusterTable target, ulong digest)
    {
        HashSet<NodeSlot> changed = [.. _slots.Where(slot => slot.Value > from).Select(slot => slot.Key)];
        ImmutableArray<ClusterMember> members =
            changed.Count == 0 ? [] : [.. target.Members.Where(member => changed.Remove(member.Slot))];
        var partitions = ImmutableArray.CreateBuilder<(PartitionId, PartitionEntry)>();
        for (var index = 0; index < target.Partitions.Length; index++)
        {
            if (_partitions[index] > from)
                partitions.Add((new PartitionId(index), target.Partitions[index]));
        }

        return new TableDelta(from, target.Version, target.ProposerNonce, digest)
        {
            Protocol = target.Protocol,
            Members = members,
            FreedSlots = [.. changed.OrderBy(slot => slot.Value)],
            PartitionCount = target.Partitions.Length,
            Partitions = partitions.DrainToImmutable(),
            Sets = _sets > from ? (target.SetBackups, target.States) : null,
            Deaths = _deaths > from ? target.Deaths : null,
        };
    }

    /// <summary>A table with its digest, which is computed once and only when it is asked for.</summary>
    private sealed class RecentTable(ClusterTable table)
    {
        private ulong? _digest;

        public ClusterTable Table { get; } = table;

        public ulong Digest => _digest ??= ClusterTableCodec.Digest(Table);
    }
}
