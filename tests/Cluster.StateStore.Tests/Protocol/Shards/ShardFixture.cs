using Cluster.Pile;
using Cluster.Pile.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Peers;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Shards;
using Cluster.StateStore.Protocol.Storage;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Shards;

/// <summary>One shard of node 1 with real records, in a cluster of the members 0 to 3 and one partition. The test hands
/// it tables and frames, and looks at its effects.</summary>
internal sealed class ShardFixture : IDisposable
{
    private readonly PeerBook _peers;
    private readonly PileRecords _records;
    private ClusterTable _table = Table(1, Member(0), Member(1), Member(2), Member(3));
    private long _now = TimeSpan.TicksPerSecond;

    public ShardFixture(ShardOptions? options = null, Action<IRecords>? prepare = null)
    {
        var hash = new PartitionHash(new ClusterMeta(Guid.NewGuid(), "test", 1, 42, ClusterMeta.CurrentFormatVersion));
        var table = StampedTable.Open(Pile, new StampedTableOptions { Name = "test", KeyForm = "test", HashSeed = 42 });
        _peers = new PeerBook(Times, Mutant.None);
        _records = new PileRecords(hash, new StateTables((_, _) => table));
        _ = _records.TryPeek(default, new StateKey(1, Array.Empty<byte>()), out var _);
        prepare?.Invoke(new PileRecords(hash, new StateTables((_, _) => table)));
        options ??= new ShardOptions { PartitionCount = 1 };
        Shard = new ReplicaShard(options with { Times = Times }, _records, _peers);
    }

    public static ProtocolTimes Times { get; } = new();

    public LocalPile Pile { get; } = new(new PileOptions { BudgetBytes = 64 << 20 });

    public ReplicaShard Shard { get; }

    public PeerBook Peers => _peers;

    /// <summary>The table that the shard has seen last.</summary>
    public ClusterTable KnownTable => _table;

    public Replica Replica => Shard.Find(default)!;

    public ProtocolCounters Counters => Shard.Counters;

    public Moment Now => new(_now, _now);

    public long RecordCount => Shard.SumsOf(default).Count;

    /// <summary>The frames since the last look.</summary>
    public object[] TakeFrames()
    {
        object[] frames = [.. Shard.Effects.Messages.Select(message => message.Frame)];
        Shard.Effects.Messages.Clear();
        return frames;
    }

    /// <summary>Shows a table with another entry; all members have given leases.</summary>
    public void Learn(PartitionEntry entry, int protocol = ProtocolVersion.Current)
    {
        _table = _table with { Members = [.. _table.Members.Select(member => member with { Protocol = protocol })] };
        _table = _table.StartSuccessor(Guid.NewGuid()).WithPartition(default, entry);
        _peers.Update(_table, Member(1).Node, _now);
        foreach (var peer in _peers.Peers)
            _peers.Acked(peer, new BeaconAck(_now, _table.Version, []), _now);
        Shard.Apply(_table, Slot(1), Now);
    }

    /// <summary>Lets the clock run, and does what is due.</summary>
    public void Tick(TimeSpan span)
    {
        _now += span.Ticks;
        foreach (var peer in _peers.Peers)
            _peers.Acked(peer, new BeaconAck(_now, _table.Version, []), _now);
        Shard.Tick(Now);
    }

    /// <summary>Writes a record, and returns what the shell knows the write by.</summary>
    public object Put(string key, int valueBytes = 10)
    {
        var operation = new object();
        var request = new WriteRequest(default, EntryKind.Put, KeyOf(key)) { Value = new byte[valueBytes] };
        if (Shard.Write(request, operation, Now) is { } answer)
            Shard.Effects.Complete(operation, answer);
        return operation;
    }

    /// <summary>Returns how a write ended; null: it waits.</summary>
    public WriteOutcome? OutcomeOf(object operation) => Shard.Effects.Completions
        .Where(completion => completion.Operation == operation)
        .Select(completion => (WriteOutcome?)completion.Answer.Outcome)
        .SingleOrDefault();

    /// <summary>Hands an entry of a primary to the shard, and returns the answer.</summary>
    public AckItem Append(int from, long epoch, EntryId previous, EntryId committed, params EntryId[] entries)
    {
        TakeFrames();
        var item = new AppendItem(default, epoch, previous, committed, [.. entries.Select(EntryOf)]);
        Shard.Appended(Slot(from), new AppendFrame(1, [item]), Now);
        return Assert.Single(Assert.IsType<AckFrame>(Assert.Single(TakeFrames())).Items);
    }

    /// <summary>Hands the answer of a backup to the shard.</summary>
    public void Ack(int from, long epoch, AppendVerdict verdict, EntryId matched) => Shard.Acked(
        Slot(from), new AckFrame(1, 0, [new AckItem(default, epoch, verdict, matched, 0)]), Now);

    public static StateKey KeyOf(string key) => new(1, Encoding.UTF8.GetBytes(key));

    public void Dispose() => Pile.Dispose();

    private static LoggedEntry EntryOf(EntryId id)
    {
        var entry = new LogEntry(id, EntryKind.Put, KeyOf($"key {id}")) { HasValue = true, Value = new byte[10] };
        var bytes = new byte[LogEntryCodec.SizeOf(entry)];
        LogEntryCodec.Write(entry, bytes);
        return new LoggedEntry(id, bytes);
    }
}
