using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Storage;
using Cluster.StateStore.Tests.Hosting;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Shards;

/// <summary>What a shard does with frames, writes and tables. It refuses and counts frames that no correct node
/// sends.</summary>
public sealed class ReplicaShardTests : IDisposable
{
    private static readonly PartitionEntry Backup = PartitionEntry.Unowned.AssignFirst(Slot(0), Slot(1));
    private static readonly PartitionEntry Primary = PartitionEntry.Unowned.AssignFirst(Slot(1), Slot(0));
    private static readonly PartitionEntry Target = PartitionEntry.Unowned.AssignFirst(Slot(0)).Target(Slot(1));

    private readonly ShardFixture _shard = new();

    public void Dispose() => _shard.Dispose();

    [Fact]
    public void Appended_EntriesInOrder_AreTakenAndAppliedWhenCommitted()
    {
        _shard.Learn(Backup);
        Assert.Equal(AppendVerdict.Taken, _shard.Append(0, 1, default, default, Id(1), Id(2)).Verdict);
        Assert.Equal((Id(2), 0), (_shard.Replica.Log.Last, _shard.RecordCount));
        _shard.Append(0, 1, Id(2), committed: Id(1));
        Assert.Equal((Id(1), 1), (_shard.Replica.Committed, _shard.RecordCount));
        CheckCounts(malformed: 0, otherEpoch: 0, gaps: 0);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    [InlineData(EntryId.EpochMax)]
    [Trait("Case", "glue-89")]
    public void Appended_OtherEpoch_IsRefusedAndCounted(long epoch)
    {
        _shard.Learn(Backup);
        Assert.Equal(AppendVerdict.OtherEpoch, _shard.Append(0, epoch, default, default, Id(1)).Verdict);
        CheckUntouched();
        CheckCounts(malformed: 0, otherEpoch: 1, gaps: 0);
    }

    [Fact]
    public void Appended_OfANodeThatIsNotThePrimary_IsRefusedAndCounted()
    {
        _shard.Learn(Backup);
        Assert.Equal(AppendVerdict.NotHere, _shard.Append(2, 1, default, default, Id(1)).Verdict);
        CheckUntouched();
        CheckCounts(malformed: 1, otherEpoch: 0, gaps: 0);
    }

    [Fact]
    public void Appended_PreviousUnknown_IsAGap()
    {
        _shard.Learn(Backup);
        Assert.Equal(AppendVerdict.Gap, _shard.Append(0, 1, previous: Id(5), default, Id(6)).Verdict);
        CheckUntouched();
    }

    [Fact]
    public void Appended_EntriesThatDoNotRise_AreRefusedAndCounted()
    {
        _shard.Learn(Backup);
        Assert.Equal(AppendVerdict.Gap, _shard.Append(0, 1, default, default, Id(2), Id(2)).Verdict);
        Assert.Equal(AppendVerdict.Gap, _shard.Append(0, 1, previous: Id(2), default, Id(1)).Verdict);
        CheckCounts(malformed: 2, otherEpoch: 0, gaps: 0);
    }

    [Fact]
    public void Appended_LeavesOutWhatIsCommitted_IsRefusedAndCounted()
    {
        _shard.Learn(Backup);
        _shard.Append(0, 1, default, default, Id(1), Id(2), Id(3));
        _shard.Append(0, 1, Id(3), committed: Id(3));
        Assert.Equal(AppendVerdict.Gap, _shard.Append(0, 1, previous: Id(1), default, Id(4)).Verdict);
        Assert.Equal((Id(3), Id(3), 3), (_shard.Replica.Log.Last, _shard.Replica.Committed, _shard.RecordCount));
        CheckCounts(malformed: 1, otherEpoch: 0, gaps: 0);
    }

    [Fact]
    public void Appended_CommitBeyondTheLog_CommitsWhatIsThere()
    {
        _shard.Learn(Backup);
        _shard.Append(0, 1, default, committed: Id(9), Id(1));
        Assert.Equal((Id(1), 1), (_shard.Replica.Committed, _shard.RecordCount));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    public void Frames_OfAPartitionThatIsNotHere_AreRefusedAndCounted(int partition)
    {
        var (id, ask) = (new PartitionId(partition), new CopyAsk(new PartitionId(partition), 1, 1));
        _shard.Learn(Backup);
        _shard.Shard.Appended(Slot(0), new AppendFrame(1, [new AppendItem(id, 1, default, default, [])]), _shard.Now);
        var taken = new AckItem(id, 1, AppendVerdict.Taken, default, 0);
        _shard.Shard.Acked(Slot(0), new AckFrame(1, 0, [taken]), _shard.Now);
        _shard.Shard.CopyAsked(Slot(0), ask, _shard.Now);
        _shard.Shard.ChunkArrived(Slot(0), new CopyChunk(ask, 1, 0, default, []), _shard.Now);
        _shard.Shard.ChunkAcked(Slot(0), new CopyAck(ask, 1, 0), _shard.Now);
        CheckUntouched();
        CheckCounts(malformed: 4, otherEpoch: 0, gaps: 0);
        var request = new WriteRequest(id, EntryKind.Put, ShardFixture.KeyOf("a"));
        Assert.Equal(new WriteAnswer(WriteOutcome.Moved), _shard.Shard.Write(request, new object(), _shard.Now));
    }

    [Fact]
    public void Acked_BackupHasTheEntry_CommitsAndAnswers()
    {
        var write = Serve();
        Assert.Null(_shard.OutcomeOf(write));
        _shard.Ack(0, 1, AppendVerdict.Taken, Id(1));
        Assert.Equal((WriteOutcome.Done, 1), (_shard.OutcomeOf(write), _shard.RecordCount));
    }

    [Theory]
    [InlineData(2, 1)]
    [InlineData(EntryId.EpochMax, 1)]
    [InlineData(1, 2)]
    [InlineData(1, EntryId.CounterMax)]
    public void Acked_EpochOrEntryThatCannotBe_IsCountedAndCommitsNothing(long epoch, long matched)
    {
        var write = Serve();
        _shard.Ack(0, epoch, AppendVerdict.Taken, Id(matched));
        Assert.Equal((null, 0), (_shard.OutcomeOf(write), _shard.RecordCount));
        CheckCounts(malformed: 1, otherEpoch: 0, gaps: 0);
    }

    [Fact]
    public void Acked_OfAnotherMember_CommitsNothing()
    {
        var write = Serve();
        _shard.Ack(2, 1, AppendVerdict.Taken, Id(1));
        _shard.Ack(1, 1, AppendVerdict.Taken, Id(1));
        Assert.Equal((null, 0), (_shard.OutcomeOf(write), _shard.RecordCount));
    }

    [Fact]
    public void Acked_PileFilledByOthersMeanwhile_CommitsWhenThereIsRoomAgain()
    {
        _shard.Learn(Primary);
        _shard.Ack(0, 1, AppendVerdict.Taken, default);
        var write = _shard.Put("a", valueBytes: 1_000_000);
        using (new PileFiller(_shard.Pile))
        {
            _shard.Ack(0, 1, AppendVerdict.Taken, Id(1));
            Assert.Equal((null, default, 0), (_shard.OutcomeOf(write), _shard.Replica.Committed, _shard.RecordCount));
            var refused = _shard.Put("b");
            Assert.Equal(WriteOutcome.Full, _shard.OutcomeOf(refused));
        }

        _shard.Tick(TimeSpan.FromMilliseconds(20));
        Assert.Equal((WriteOutcome.Done, 1), (_shard.OutcomeOf(write), _shard.RecordCount));
        Assert.Equal(Id(1), _shard.Replica.Committed);
    }

    [Fact]
    public void Write_BackupSilent_IsAnsweredWhenTheTableShrinks()
    {
        var write = Serve();
        _shard.Tick(ShardFixture.Times.Append);
        var wishes = new List<Wish>();
        _shard.Shard.CollectWishes(wishes, MovePermit.Begin, _shard.Now);
        Assert.Equal(new Wish(default, PartitionChange.Shrink, Slot(0), 1), Assert.Single(wishes));
        Assert.Null(_shard.OutcomeOf(write));
        _shard.Learn(Primary.Shrink(Slot(0)));
        Assert.Equal(WriteOutcome.Done, _shard.OutcomeOf(write));
    }

    [Fact]
    public void Write_CommitDoesNotCome_IsAnsweredUnknownAndMayStillBeCommitted()
    {
        var write = Serve();
        _shard.Tick(ShardFixture.Times.WriteWait - TimeSpan.FromMilliseconds(1));
        Assert.Null(_shard.OutcomeOf(write));
        _shard.Tick(TimeSpan.FromMilliseconds(1));
        Assert.Equal(WriteOutcome.Unknown, _shard.OutcomeOf(write));
        _shard.Ack(0, 1, AppendVerdict.Taken, Id(1));
        Assert.Equal((WriteOutcome.Unknown, Id(1), 1), (_shard.OutcomeOf(write), _shard.Replica.Committed, _shard.RecordCount));
    }

    [Fact]
    public void Write_LastBackupHasLeft_GoesOnAfterTheEntriesThatItLacked()
    {
        Serve();
        _shard.Learn(Primary.Shrink(Slot(0)));
        var (first, second) = (_shard.Put("b"), _shard.Put("a"));
        Assert.Equal((WriteOutcome.Done, WriteOutcome.Done), (_shard.OutcomeOf(first), _shard.OutcomeOf(second)));
        Assert.Equal((EntryId.Of(2, 3), 0, 2), (_shard.Replica.Committed, _shard.Replica.Log.Count, _shard.RecordCount));
    }

    [Fact]
    public void Write_Demoted_GoesBackToItsCaller()
    {
        var write = Serve();
        _shard.Learn(Primary.TakeOver(Slot(0)));
        Assert.Equal((WriteOutcome.Moved, 0), (_shard.OutcomeOf(write), _shard.RecordCount));
        Assert.Equal(1, _shard.Counters.Demoted);
    }

    [Fact]
    public void CopyAsked_OfANodeThatDoesNotJoin_IsRefusedAndCounted()
    {
        Serve();
        _shard.TakeFrames();
        _shard.Shard.CopyAsked(Slot(2), new CopyAsk(default, 1, 1), _shard.Now);
        _shard.Learn(Primary.Target(Slot(2)));
        _shard.Shard.CopyAsked(Slot(3), new CopyAsk(default, 1, 1), _shard.Now);
        _shard.Shard.CopyAsked(Slot(2), new CopyAsk(default, 2, 1), _shard.Now);
        Assert.Empty(_shard.TakeFrames().OfType<CopyChunk>());
        CheckCounts(malformed: 0, otherEpoch: 3, gaps: 0);
        _shard.Shard.CopyAsked(Slot(2), new CopyAsk(default, 1, 1), _shard.Now);
        Assert.Single(_shard.TakeFrames().OfType<CopyChunk>());
    }

    /// <summary>The network brings the question twice, the second time when the target is already in sync.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void CopyAsked_QuestionComesTwice_TheCopyGoesOn(bool isCopied)
    {
        Serve();
        _shard.Learn(Primary.Target(Slot(2)));
        var ask = new CopyAsk(default, 1, 1);
        _shard.Shard.CopyAsked(Slot(2), ask, _shard.Now);
        var chunk = Assert.Single(_shard.TakeFrames().OfType<CopyChunk>());
        if (isCopied)
            _shard.Shard.ChunkAcked(Slot(2), new CopyAck(ask, chunk.Scan, Next: 1), _shard.Now);
        _shard.Shard.CopyAsked(Slot(2), ask, _shard.Now);
        Assert.Empty(_shard.TakeFrames().OfType<CopyChunk>());
        Assert.Equal(1, _shard.Counters.RepeatedAsks);
        if (!isCopied)
            _shard.Shard.ChunkAcked(Slot(2), new CopyAck(ask, chunk.Scan, Next: 1), _shard.Now);
        Assert.True(_shard.Replica.Followers[Slot(2)] is { IsCopied: true, TakesEntries: true });

        // The first chunk may have been lost: after a while, the question counts.
        if (isCopied)
            return;
        _shard.Shard.CopyAsked(Slot(2), new CopyAsk(default, 1, 2), _shard.Now);
        Assert.Single(_shard.TakeFrames().OfType<CopyChunk>());
        _shard.Tick(TimeSpan.FromSeconds(0.8));
        _shard.TakeFrames();
        _shard.Shard.CopyAsked(Slot(2), new CopyAsk(default, 1, 2), _shard.Now);
        Assert.Single(_shard.TakeFrames().OfType<CopyChunk>());
    }

    /// <summary>The log proves that a base is what the partition was at an entry. Nothing else does.</summary>
    [Theory]
    [InlineData(1, 1, 0, true)]
    [InlineData(1, 2, 0, true)]
    [InlineData(1, 3, 0, false)]
    [InlineData(0, 1, 0, false)]
    [InlineData(1, 1, 1, false)]
    public void CopyAsked_WithABase_SendsTheLogAloneIfItHasTheEntry(int epoch, int counter, int lossCount, bool isTaken)
    {
        using var keeping = new ShardFixture(new ShardOptions { PartitionCount = 1, LogBytesKept = 1 << 20 });
        keeping.Learn(Primary);
        keeping.Ack(0, 1, AppendVerdict.Taken, default);
        keeping.Put("a");
        keeping.Put("b");
        keeping.Ack(0, 1, AppendVerdict.Taken, Id(2));
        keeping.Learn(Primary.Target(Slot(2)));
        keeping.TakeFrames();
        var mark = new BaseMark(EntryId.Of(epoch, counter), lossCount);
        var ask = new CopyAsk(default, 1, 1) { Base = mark };
        keeping.Shard.CopyAsked(Slot(2), ask, keeping.Now);
        var chunk = Assert.Single(keeping.TakeFrames().OfType<CopyChunk>());
        Assert.Empty(chunk.Records);
        Assert.Equal((isTaken, !isTaken, isTaken), (chunk.IsDifference, chunk.IsBaseRefused, chunk.IsLast));
        if (!isTaken)
            return;
        Assert.Equal(mark.Entry, chunk.Start);
        keeping.Shard.ChunkAcked(Slot(2), new CopyAck(ask, chunk.Scan, Next: 1), keeping.Now);
        var item = Assert.Single(Assert.Single(keeping.TakeFrames().OfType<AppendFrame>()).Items);
        Assert.Equal(2 - counter, item.Entries.Length);
        Assert.Equal((mark.Entry, Id(2)), (item.Previous, item.Committed));
    }

    [Fact]
    public void ChunkAcked_ChunkThatWasNotSent_IsRefusedAndCounted()
    {
        Serve();
        _shard.Learn(Primary.Target(Slot(2)));
        var ask = new CopyAsk(default, 1, 1);
        _shard.Shard.CopyAsked(Slot(2), ask, _shard.Now);
        _shard.Shard.ChunkAcked(Slot(2), new CopyAck(ask, Scan: 1, Next: 2), _shard.Now);
        CheckCounts(malformed: 1, otherEpoch: 0, gaps: 0);
        _shard.Shard.ChunkAcked(Slot(2), new CopyAck(ask, Scan: 9, Next: 1), _shard.Now);
        Assert.False(_shard.Replica.Followers[Slot(2)].IsCopied);
        _shard.Shard.ChunkAcked(Slot(2), new CopyAck(ask, Scan: 1, Next: 1), _shard.Now);
        Assert.True(_shard.Replica.Followers[Slot(2)].IsCopied);
    }

    [Fact]
    public void ChunkArrived_OfAnotherNodeCopyOrScan_IsRefusedAndCounted()
    {
        _shard.Learn(Target);
        var ask = Assert.IsType<CopyAsk>(Assert.Single(_shard.TakeFrames()));
        Chunk(from: 2, ask, scan: 7, index: 0);
        Chunk(from: 0, ask with { Copy = ask.Copy + 1 }, scan: 7, index: 0);
        CheckUntouched();
        Chunk(from: 0, ask, scan: 7, index: 0);
        Chunk(from: 0, ask, scan: 8, index: 1);
        CheckCounts(malformed: 0, otherEpoch: 3, gaps: 0);
        Assert.Equal(1, _shard.RecordCount);
    }

    [Fact]
    public void ChunkArrived_RepeatedOrOutOfOrder_IsTakenOnce()
    {
        _shard.Learn(Target);
        var ask = Assert.IsType<CopyAsk>(Assert.Single(_shard.TakeFrames()));
        Assert.Equal(0, Chunk(from: 0, ask, scan: 7, index: 1));
        Assert.Equal(1, Chunk(from: 0, ask, scan: 7, index: 0));
        Assert.Equal(1, Chunk(from: 0, ask, scan: 7, index: 0));
        Assert.Equal(1, Chunk(from: 0, ask, scan: 7, index: 2));
        Assert.Equal(2, Chunk(from: 0, ask, scan: 7, index: 1));
        Assert.Equal(2, _shard.RecordCount);
    }

    [Fact]
    public void ChunkArrived_NoRoom_IsRefusedOnceAndDropped()
    {
        _shard.Learn(Target);
        var ask = Assert.IsType<CopyAsk>(Assert.Single(_shard.TakeFrames()));
        Chunk(from: 0, ask, scan: 7, index: 0);
        using var filler = new PileFiller(_shard.Pile);
        _shard.Shard.ChunkArrived(Slot(0), ChunkOf(ask, scan: 7, index: 1), _shard.Now);
        var refusal = Assert.Single(Assert.IsType<AckFrame>(Assert.Single(_shard.TakeFrames())).Items);
        Assert.Equal((AppendVerdict.Full, 7), (refusal.Verdict, refusal.Scan));
        _shard.Tick(TimeSpan.FromMilliseconds(20));
        _shard.Tick(TimeSpan.FromSeconds(4));
        Assert.Equal((Phase.Copying, 0), (_shard.Replica.Phase, _shard.RecordCount));
        Assert.Empty(_shard.TakeFrames());
        _shard.Tick(TimeSpan.FromSeconds(2));
        Assert.IsType<CopyAsk>(Assert.Single(_shard.TakeFrames()));
    }

    [Fact]
    public void CollectWishes_TargetRefusesOrComesNoFurther_GivesItUp()
    {
        Serve();
        _shard.Learn(Primary.Target(Slot(2)));
        _shard.Ack(0, 1, AppendVerdict.Taken, Id(1));
        _shard.Shard.CopyAsked(Slot(2), new CopyAsk(default, 1, 1), _shard.Now);
        for (var attempt = 2; attempt < 8; attempt++)
        {
            Assert.Empty(Wishes());
            _shard.Tick(TimeSpan.FromSeconds(0.8));
            _shard.Shard.CopyAsked(Slot(2), new CopyAsk(default, 1, attempt), _shard.Now);
        }

        _shard.Tick(TimeSpan.FromSeconds(0.8));
        Assert.Equal(new Wish(default, PartitionChange.Target, Slot(2), 1), Assert.Single(Wishes()));
        Assert.Equal(6, _shard.Counters.CopyRestarts);
    }

    [Fact]
    public void Apply_TargetBecomesPrimaryAfterALoss_ReportsWhatItHadAndBeginsEmpty()
    {
        _shard.Learn(Target);
        var ask = Assert.IsType<CopyAsk>(Assert.Single(_shard.TakeFrames()));
        Chunk(from: 0, ask, scan: 7, index: 0);
        _shard.Learn(Target.DeclareLost(Slot(1)));
        Assert.Equal((default, 1, 1), Assert.Single(_shard.Shard.Effects.Losses));
        _shard.Tick(TimeSpan.FromMilliseconds(20));
        Assert.Equal((Phase.Serving, 0), (_shard.Replica.Phase, _shard.RecordCount));
    }

    private List<Wish> Wishes()
    {
        var wishes = new List<Wish>();
        _shard.Shard.CollectWishes(wishes, MovePermit.Begin, _shard.Now);
        return wishes;
    }

    /// <summary>Makes the shard the primary, and writes an entry that its backup has not acknowledged.</summary>
    private object Serve()
    {
        _shard.Learn(Primary);
        _shard.Ack(0, 1, AppendVerdict.Taken, default);
        Assert.Equal(Phase.Serving, _shard.Replica.Phase);
        return _shard.Put("a");
    }

    private int Chunk(int from, CopyAsk ask, long scan, int index)
    {
        _shard.TakeFrames();
        _shard.Shard.ChunkArrived(Slot(from), ChunkOf(ask, scan, index), _shard.Now);
        return _shard.TakeFrames().OfType<CopyAck>().SingleOrDefault()?.Next ?? -1;
    }

    private static CopyChunk ChunkOf(CopyAsk ask, long scan, int index)
    {
        var record = new RecordImage(ShardFixture.KeyOf($"key {index}"), Id(index + 1), 0, new byte[10]);
        return new CopyChunk(ask, scan, index, Id(9), [record]);
    }

    private void CheckUntouched() =>
        Assert.Equal((0, default, 0), (_shard.Replica.Log.Count, _shard.Replica.Committed, _shard.RecordCount));

    private void CheckCounts(long malformed, long otherEpoch, long gaps) => Assert.Equal(
        (malformed, otherEpoch, gaps), (_shard.Counters.Malformed, _shard.Counters.OtherEpoch, _shard.Counters.Gaps));

    private static EntryId Id(long counter) => EntryId.Of(1, counter);
}
