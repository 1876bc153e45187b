using Cluster.Contracts;
using Cluster.Pile;
using Cluster.Pile.Hosting;
using Cluster.StateStore.Engine.Folders;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Shards;
using Cluster.StateStore.Protocol.Storage;
using ClusterMember = Cluster.StateStore.Hosting.Tables.ClusterMember;

namespace Cluster.Benchmarks.States;

/// <summary>One or two shards that hold all partitions, with frames handed over as objects. Used by one
/// thread.</summary>
internal sealed class CorePair : IDisposable
{
    public const int PartitionCount = 64;

    private static readonly NodeSlot Primary = new(1);
    private static readonly NodeSlot Backup = new(2);

    private readonly LocalPile _pile;
    private readonly DirectoryInfo? _folder;
    private readonly MappedMarkMemory? _marks;
    private readonly object _operation = new();
    private readonly PartitionHash _hash = new(
        new ClusterMeta(Guid.NewGuid(), "benchmark", PartitionCount, 0x5EED, ClusterMeta.CurrentFormatVersion));

    private readonly StampedTable _records;
    private readonly ReplicaShard _primary;
    private readonly ReplicaShard? _backup;
    private readonly byte[] _buffer = new byte[4_096];

    /// <summary>Makes the shards.</summary>
    /// <param name="hasBackup">Whether each partition has a backup.</param>
    /// <param name="isMapped">Whether records and marks lie in a folder.</param>
    public CorePair(bool hasBackup, bool isMapped = false)
    {
        _folder = isMapped ? Directory.CreateTempSubdirectory("cluster-benchmark-") : null;
        _pile = new LocalPile(new PileOptions { BudgetBytes = 512L << 20, MappedFolder = _folder?.FullName });
        if (_folder is not null)
        {
            var path = Path.Combine(_folder.FullName, "marks");
            MarkFile.MakeWhereNeeded(path, binding: 1, PartitionCount);
            _marks = new MappedMarkMemory(path);
        }

        var entry = PartitionEntry.Unowned.AssignFirst(Primary, hasBackup ? [Backup] : []);
        Table = ClusterTable.CreateEmpty(PartitionCount) with
        {
            Version = 2,
            Members = [Member(Primary), Member(Backup)],
            Partitions = [.. Enumerable.Repeat(entry, PartitionCount)],
        };
        _records = Open("primary");
        _primary = Start(_records, Primary);
        _backup = hasBackup ? Start(Open("backup"), Backup) : null;
        Deliver();
    }

    public ClusterTable Table { get; }

    private static Moment Now => new(Stopwatch.GetTimestamp(), DateTime.UtcNow.Ticks);

    public void Dispose()
    {
        _marks?.Dispose();
        _pile.Dispose();
        _folder?.Delete(recursive: true);
    }

    public void Write(EntryKind kind, byte[] key, byte[] value)
    {
        var request = new WriteRequest(PartitionOf(key), kind, new StateKey(0, key)) { Value = value };
        if (_primary.Write(request, _operation, Now) is { } answer)
            _primary.Effects.Complete(_operation, answer);
        Deliver();
    }

    public void Read(byte[] key)
    {
        if (!_records.TryRead(_hash.Hash(key), key, _buffer, out _))
            throw new InvalidOperationException("A record is missing.");
    }

    // A shard forgets the links to members that the table does not list.
    private static ClusterMember Member(NodeSlot slot) =>
        new(slot, NodeId.NewIncarnation($"n{slot.Value}"), "", "", default, MemberState.Active);

    private PartitionId PartitionOf(byte[] key) => _hash.PartitionOf(_hash.Hash(key));

    private StampedTable Open(string name) => StampedTable.Open(
        _pile, new StampedTableOptions { Name = name, KeyForm = "benchmark", HashSeed = 0x5EED });

    private ReplicaShard Start(StampedTable table, NodeSlot self)
    {
        var options = new ShardOptions
        {
            PartitionCount = PartitionCount,
            Marks = _marks is null ? null : new ReplicaMarks(_marks, MarkFile.HeaderWords, PartitionCount, seed: 1),
        };
        var shard = new ReplicaShard(options, new PileRecords(_hash, new StateTables((_, _) => table)), new EndlessLeases());
        shard.Apply(Table, self, Now);
        shard.Tick(Now);
        return shard;
    }

    private void Deliver()
    {
        while (_primary.Effects.Messages.Count > 0 && _backup is not null)
        {
            foreach (var (_, frame) in _primary.Effects.Messages.ToArray())
                _backup.Appended(Primary, (AppendFrame)frame, Now);
            _primary.Effects.Clear();
            foreach (var (_, frame) in _backup.Effects.Messages.ToArray())
                _primary.Acked(Backup, (AckFrame)frame, Now);
            _backup.Effects.Clear();
        }

        if (_primary.Effects.Completions.Any(completion => completion.Answer.Outcome != WriteOutcome.Done))
            throw new InvalidOperationException($"A write was refused: {_primary.Effects.Completions[0].Answer}.");
        _primary.Effects.Clear();
    }

    private sealed class EndlessLeases : ILeases
    {
        public long StartedAt => 0;

        public long LeaseEnd(NodeSlot member, PartitionId partition) => long.MaxValue;

        public long HeardAt(NodeSlot member) => long.MaxValue / 2;

        public bool IsDead(NodeSlot member) => false;
    }
}
