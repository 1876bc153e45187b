using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Storage;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Shards;

/// <summary>What a shard does with the records that an earlier life of its node has left.</summary>
[Trait("Case", "cluster-mapped")]
public sealed class BaseTests : IDisposable
{
    private static readonly BaseMark Mark = new(EntryId.Of(1, 2), 0);
    private static readonly PartitionEntry Alone = PartitionEntry.Unowned.AssignFirst(Slot(0));

    private readonly MemoryMarks _marks = new();
    private readonly ShardFixture _shard;

    // The records of an earlier life: entries 1 and 2, and maybe more.
    public BaseTests()
    {
        _marks.Set(default, Mark);
        _shard = new ShardFixture(
            new ShardOptions { PartitionCount = 1, Marks = _marks },
            records =>
            {
                for (var counter = 1; counter <= 3; counter++)
                    Assert.True(records.Apply(default, Put(counter), keepsTombstone: false));
            });
    }

    public void Dispose() => _shard.Dispose();

    [Fact]
    public void Attach_NoTableIsKnown_KeepsTheRecordsAndServesNothing()
    {
        Assert.Equal((Phase.Kept, 3), (_shard.Replica.Phase, _shard.RecordCount));
        Assert.Equal(
            WriteOutcome.Moved, _shard.Shard.Read(default, ShardFixture.KeyOf("key 1.1"), _shard.Now).Outcome);
        Assert.True(_shard.Shard.IsEmpty);
    }

    [Fact]
    public void Target_PrimaryHasTheLog_TakesTheEntriesAloneAndIsInSync()
    {
        var ask = Learn(Alone.Target(Slot(1)));
        Assert.Equal(Mark, ask.Base);
        Assert.Equal(Mark, _marks.Find(default));
        Chunk(ask, isDifference: true);
        Assert.Null(_marks.Find(default));
        var item = new AppendItem(default, 1, Mark.Entry, Id(4), [Logged(3), Logged(4)]) { Scan = 7 };
        _shard.Shard.Appended(Slot(0), new AppendFrame(1, [item]), _shard.Now);
        _shard.Learn(Alone.Target(Slot(1)).Join());
        Assert.Equal((Phase.InSync, 4, Id(4)), (_shard.Replica.Phase, _shard.RecordCount, _shard.Replica.Committed));
        Assert.Equal(new BaseMark(Id(4), 0), _marks.Find(default));
        var counters = _shard.Counters;
        Assert.Equal(
            (1, 1, 0), (counters.CopiesReceived, counters.DifferencesReceived, counters.BasesDropped));
        Assert.True(counters.BaseBytesUsed > 0);
    }

    [Fact]
    public void Target_PrimaryRefusesTheBase_DropsItAndAsksForEverything()
    {
        var ask = Learn(Alone.Target(Slot(1)));
        var refusal = new CopyChunk(ask, 0, 0, default, []) { IsBaseRefused = true };
        _shard.Shard.ChunkArrived(Slot(0), refusal, _shard.Now);
        Assert.Null(_marks.Find(default));
        _shard.TakeFrames();
        _shard.Tick(TimeSpan.FromMilliseconds(20));
        var next = Assert.Single(_shard.TakeFrames().OfType<CopyAsk>());
        Assert.Null(next.Base);
        Assert.NotEqual(ask.Copy, next.Copy);
        Assert.Equal((0, 1), (_shard.RecordCount, _shard.Counters.BasesDropped));
    }

    /// <summary>Only nodes of version 4 know the question. An older one sends everything, which does not fit.</summary>
    [Fact]
    public void Target_PrimaryIsOlder_AsksPlainlyAndDropsTheBaseBeforeTheCopy()
    {
        var ask = Learn(Alone.Target(Slot(1)), ProtocolVersion.WithSnapshots);
        Assert.Null(ask.Base);
        Chunk(ask, isDifference: false);
        _shard.TakeFrames();
        _shard.Tick(TimeSpan.FromMilliseconds(20));
        Assert.Single(_shard.TakeFrames().OfType<CopyAsk>());
        Assert.Equal(0, _shard.RecordCount);
    }

    /// <summary>The copy is planned and given up before anything of the base has changed.</summary>
    [Fact]
    public void Target_IsGivenUpBeforeTheFirstChunk_KeepsTheBase()
    {
        Learn(Alone.Target(Slot(1)));
        _shard.Learn(Alone);
        Assert.Equal((Phase.Kept, Mark), (_shard.Replica.Phase, _marks.Find(default)));
        Assert.Equal(Mark, Learn(Alone.Target(Slot(1))).Base);
    }

    public static TheoryData<string> OtherRoles => ["primary", "backup", "lost"];

    [Theory]
    [MemberData(nameof(OtherRoles))]
    public void OtherRole_BeginsWithoutTheBase(string role)
    {
        _shard.Learn(role switch
        {
            "primary" => PartitionEntry.Unowned.AssignFirst(Slot(1)),
            "backup" => PartitionEntry.Unowned.AssignFirst(Slot(0), Slot(1)),
            _ => Alone.DeclareLost(Slot(0)).Target(Slot(1)),
        });
        Assert.Null(_marks.Find(default));
        _shard.Tick(TimeSpan.FromMilliseconds(20));
        Assert.Equal(0, _shard.RecordCount);
        Assert.Empty(_shard.Shard.Effects.Losses);
        Assert.NotEqual(Phase.Kept, _shard.Replica.Phase);
    }

    [Fact]
    public void Kept_NobodyGivesThePartitionForLong_IsDropped()
    {
        _shard.Learn(Alone);
        _shard.Tick(ShardFixture.Times.KeepBase - TimeSpan.FromSeconds(1));
        Assert.Equal(Phase.Kept, _shard.Replica.Phase);
        _shard.Tick(TimeSpan.FromSeconds(2));
        _shard.Tick(TimeSpan.FromMilliseconds(20));
        Assert.Equal((Phase.Absent, 0), (_shard.Replica.Phase, _shard.RecordCount));
        Assert.Null(_marks.Find(default));
    }

    private CopyAsk Learn(PartitionEntry entry, int protocol = ProtocolVersion.Current)
    {
        _shard.TakeFrames();
        _shard.Learn(entry, protocol);
        return Assert.Single(_shard.TakeFrames().OfType<CopyAsk>());
    }

    private void Chunk(CopyAsk ask, bool isDifference) => _shard.Shard.ChunkArrived(
        Slot(0),
        new CopyChunk(ask, 7, 0, Mark.Entry, []) { IsDifference = isDifference, IsLast = true },
        _shard.Now);

    private static EntryId Id(long counter) => EntryId.Of(1, counter);

    private static LogEntry Put(long counter) =>
        new(Id(counter), EntryKind.Put, ShardFixture.KeyOf($"key {Id(counter)}"))
        {
            HasValue = true,
            Value = new byte[10],
        };

    private static LoggedEntry Logged(long counter)
    {
        var entry = Put(counter);
        var bytes = new byte[LogEntryCodec.SizeOf(entry)];
        LogEntryCodec.Write(entry, bytes);
        return new LoggedEntry(entry.Id, bytes);
    }

    /// <summary>Marks in memory.</summary>
    private sealed class MemoryMarks : IReplicaMarks
    {
        private BaseMark? _mark;

        public BaseMark? Find(PartitionId partition) => _mark;

        public void Set(PartitionId partition, BaseMark mark) => _mark = mark;

        public void Clear(PartitionId partition) => _mark = null;
    }
}
