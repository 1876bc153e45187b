using Cluster.Pile;
using Cluster.Pile.Hosting;
using Cluster.StateStore.Engine.Folders;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Peers;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Shards;
using Cluster.StateStore.Protocol.Storage;
using Xunit.Abstractions;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Engine.Folders;

/// <summary>A node is a backup, gets copies, is dropped and joins again, and its process ends between any two changes of
/// records and marks. What a mark promises is there each time.</summary>
[Trait("Case", "cluster-mapped")]
public sealed class FolderPropertyTests(ITestOutputHelper output)
{
    private const int Keys = 5;
    private static readonly PartitionHash Hash =
        new(new ClusterMeta(Guid.NewGuid(), "test", 1, 42, ClusterMeta.CurrentFormatVersion));

    private int _marked;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [Trait("Case", "glue-55")]
    public void Process_EndsBetweenAnyTwoChanges_LeavesWhatTheMarkPromises(int seed)
    {
        var (changes, isOver) = (0, false);
        for (; !isOver; changes++)
            isOver = LivesThrough(seed, changes);
        output.WriteLine($"{changes} ends of the process, {_marked} with a mark");
        Assert.InRange(changes, 40, 1_000);
        Assert.InRange(_marked, changes / 3, changes - 10);
    }

    private bool LivesThrough(int seed, int changes)
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 16 << 20 });
        var table = StampedTable.Open(pile, new StampedTableOptions { Name = "t", KeyForm = "t", HashSeed = 42 });
        var tables = new StateTables((_, _) => table);
        tables.OpenAll([StateTables.NameOf(0, 1)]);
        var memory = new MortalMemory(ReplicaMarks.PartitionWords);
        var history = DrawHistory(new Random(seed));
        var mortal = new MortalRecords(
            new PileRecords(Hash, tables), new ReplicaMarks(memory, 0, 1, seed: 1), changes);
        var hasEnded = false;
        try
        {
            new Life(mortal, history).Run();
        }
        catch (ProcessEndedException)
        {
            hasEnded = true;
        }

        Check(new PileRecords(Hash, tables), new ReplicaMarks(memory, 0, 1, seed: 1), history);
        return !hasEnded;
    }

    // The log from the mark on makes of what is there what the primary has.
    private void Check(PileRecords records, ReplicaMarks marks, LogEntry[] history)
    {
        records.Recount(default);
        if (marks.Find(default) is not { } mark)
            return;
        _marked++;
        foreach (var entry in history.Where(entry => entry.Id > mark.Entry))
            Assert.True(records.Apply(default, entry, keepsTombstone: true));
        var expected = ModelOf(history);
        for (var key = 0; key < Keys; key++)
        {
            var isFound = records.TryFind(default, KeyOf(key), out var record);
            Assert.Equal(expected.TryGetValue(key, out var known), isFound);
            if (isFound)
                Assert.Equal(known, (record.Version, record.Expiry, record.Value.Span[0]));
        }
    }

    private static LogEntry[] DrawHistory(Random random) =>
    [
        .. Enumerable.Range(1, 40).Select(counter =>
        {
            var kind = random.Next(6) switch
            {
                0 => EntryKind.Remove,
                1 => EntryKind.Touch,
                _ => EntryKind.Put,
            };
            return new LogEntry(EntryId.Of(1, counter), kind, KeyOf(random.Next(Keys)))
            {
                Expiry = kind == EntryKind.Touch ? counter : 0,
                HasValue = kind == EntryKind.Put,
                Value = kind == EntryKind.Put ? new[] { (byte)counter } : default(ReadOnlyMemory<byte>),
            };
        }),
    ];

    private static Dictionary<int, (EntryId Version, long Expiry, byte Value)> ModelOf(IEnumerable<LogEntry> entries)
    {
        var model = new Dictionary<int, (EntryId Version, long Expiry, byte Value)>();
        foreach (var entry in entries)
        {
            var key = entry.Key.Bytes.Span[0];
            if (entry.Kind == EntryKind.Put)
                model[key] = (entry.Id, 0, entry.Value.Span[0]);
            else if (entry.Kind == EntryKind.Remove)
                model.Remove(key);
            else if (model.TryGetValue(key, out var known))
                model[key] = known with { Expiry = entry.Expiry };
        }

        return model;
    }

    private static StateKey KeyOf(int key) => new(1, new[] { (byte)key });

    /// <summary>What happens to node 1, and what node 0, the primary, sends to it.</summary>
    private sealed class Life
    {
        private readonly LogEntry[] _history;
        private readonly PeerBook _peers = new(new ProtocolTimes(), Mutant.None);
        private readonly ReplicaShard _shard;
        private ClusterTable _table = Table(1, Member(0), Member(1));
        private PartitionEntry _entry = PartitionEntry.Unowned.AssignFirst(Slot(0));
        private long _now = TimeSpan.TicksPerSecond;

        public Life(MortalRecords records, LogEntry[] history)
        {
            _history = history;
            _shard = new ReplicaShard(new ShardOptions { PartitionCount = 1, Marks = records }, records, _peers);
        }

        private Moment Now => new(_now, _now);

        private Replica Replica => _shard.Find(default)!;

        public void Run()
        {
            Join(first: 12);
            Append(first: 12, last: 24);
            Learn(_entry.Shrink(Slot(1)));
            Tick();
            Join(first: 26);
            Append(first: 26, last: 40);
        }

        // The copy has what the first entries have made, and maybe more; the log follows from there.
        private void Join(int first)
        {
            Learn(_entry.Target(Slot(1)));
            var ask = _shard.Effects.Messages.Select(message => message.Frame).OfType<CopyAsk>().Last();
            var records = ModelOf(_history.Take(first + 3))
                .Select(pair => new RecordImage(
                    KeyOf(pair.Key), pair.Value.Version, pair.Value.Expiry, new[] { pair.Value.Value }))
                .ToArray();
            var start = _history[first - 1].Id;
            for (var index = 0; index < records.Length; index++)
            {
                var isLast = index == records.Length - 1;
                _shard.ChunkArrived(
                    Slot(0), new CopyChunk(ask, 7, index, start, [records[index]]) { IsLast = isLast }, Now);
            }

            Append(first, first + 4, scan: 7);
            Learn(_entry.Join());
            Assert.Equal(Phase.InSync, Replica.Phase);
        }

        private void Append(int first, int last, long scan = 0)
        {
            for (var at = first; at < last; at++)
            {
                var entry = _history[at];
                var bytes = new byte[LogEntryCodec.SizeOf(entry)];
                LogEntryCodec.Write(entry, bytes);
                var item = new AppendItem(
                    default, Replica.Entry.Epoch.Value, _history[at - 1].Id, _history[at - (at % 3 == 0 ? 1 : 0)].Id,
                    [new LoggedEntry(entry.Id, bytes)])
                {
                    Scan = scan,
                };
                _shard.Appended(Slot(0), new AppendFrame(at, [item]), Now);
            }
        }

        private void Learn(PartitionEntry entry)
        {
            _entry = entry;
            _table = _table.StartSuccessor(Guid.NewGuid()).WithPartition(default, entry);
            _peers.Update(_table, Member(1).Node, _now);
            _shard.Apply(_table, Slot(1), Now);
        }

        private void Tick()
        {
            _now += TimeSpan.TicksPerSecond / 50;
            _shard.Tick(Now);
            Assert.Equal(Phase.Absent, Replica.Phase);
        }
    }
}
