using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Log;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tests.Tables;

/// <summary>Objects that records own, from the end of the record to the end of the object.</summary>
public sealed class RecordOrphansTests : IDisposable
{
    private LocalPile _pile = Records.CreatePile();
    private RecordStore _store;

    public RecordOrphansTests() => _store = _pile.Records.Create(new RecordTableOptions { MayForget = true });

    public void Dispose() => _pile.Dispose();

    [Fact]
    public void Owner_RemovedUnderAView_OwesItsObject_UntilItIsDeleted()
    {
        var pointer = Own(1);
        var offset = OffsetOf(1);
        using (_pile.OpenView(pointer))
        {
            Assert.Equal(RecordStatus.Found, Records.Remove(_store, 1));
            Assert.Equal(RecordState.Owing, StateAt(offset));
            Assert.True(_pile.IsLive(pointer));
            RecordValidator.Check(_pile, _store);
        }

        _store.Sweeper.Merge();
        Assert.False(_pile.IsLive(pointer));
        Assert.Equal(RecordState.Dead, StateAt(offset));
        RecordValidator.Check(_pile, _store);
    }

    [Fact]
    public void Segment_WithADebtor_StaysUntilItsObjectIsDeleted_AndEvictionGoesPastIt()
    {
        var pointer = Own(1);
        for (long id = 2; id < 2000; id++)
            Records.Put(_store, id, Piles.Payload(1, 500));
        using (_pile.OpenView(pointer))
        {
            _store.Options = _store.Options with { LimitBytes = 3 * 65536 };
            Assert.Equal(1, _store.Log.Snapshot().Count(segment => segment.IsEmptied));
            Assert.True(_pile.IsLive(pointer));
            RecordValidator.Check(_pile, _store);
        }

        _store.Sweeper.Merge();
        Assert.False(_pile.IsLive(pointer));
        Assert.DoesNotContain(_store.Log.Snapshot(), segment => segment.IsEmptied);
        RecordValidator.Check(_pile, _store);
    }

    [Fact]
    public void SamePointer_PutAgain_StaysWithItsEntry()
    {
        var pointer = Own(1);
        Assert.Equal(RecordStatus.Replaced, Records.PutPointer(_store, 1, pointer));
        Assert.True(_pile.IsLive(pointer));
        Assert.Equal(RecordStatus.Found, Records.Remove(_store, 1));
        Assert.False(_pile.IsLive(pointer));
        RecordValidator.Check(_pile, _store);
    }

    [Fact]
    public void Purge_BeforeTheObjectIsDeleted_LeavesNothingToSettle()
    {
        var view = _pile.OpenView(Own(1));
        Records.Remove(_store, 1);
        view.Dispose();
        _pile.Purge();
        for (long id = 2; id < 200; id++)
            Records.Put(_store, id, Piles.Payload(1, 500));
        _store.Sweeper.Merge();
        RecordValidator.Check(_pile, _store);
    }

    /// <summary>What a process leaves that dies between the end of an entry and that of its object.</summary>
    [Fact]
    public void Rebuild_WithADebtor_DeletesItsObject()
    {
        var pointer = Own(1);
        using (_pile.OpenView(pointer))
            Records.Remove(_store, 1);
        Rebuild();
        Assert.False(_pile.IsLive(pointer));
        Assert.Equal(0, _store.Count);
    }

    /// <summary>What one leaves that dies between the new record and the end of the old one.</summary>
    [Fact]
    public void Rebuild_WithTwoOwners_OfOneKey_DeletesTheObjectOfTheEarlier()
    {
        var (earlier, other) = (Own(1), OffsetOf(1));
        using (_pile.OpenView(earlier))
            Own(1);
        _pile.Records.Space.SetState(other, _pile.Records.Space.Header(other), RecordState.Live);
        Rebuild();
        Assert.False(_pile.IsLive(earlier));
        Assert.Equal(RecordStatus.Found, Records.Get(_store, 1, out var value));
        Assert.True(_pile.IsLive(PilePointer.FromUInt64(BitConverter.ToUInt64(value))));
        Assert.Equal(RecordState.Dead, StateAt(other));
    }

    /// <summary>What one leaves that dies after it claimed room and before it wrote there.</summary>
    [Fact]
    public void Rebuild_WithRoomThatNobodyWroteTo_FillsIt()
    {
        Records.Put(_store, 1, [1, 2, 3]);
        var segment = Assert.Single(_store.Log.Snapshot());
        Assert.True(_pile.Records.Space.TryClaim(segment, 48, out _));
        Records.Put(_store, 2, [4]);
        Rebuild();
        Records.CheckValue(_store, 2, [4]);
        _store.Sweeper.Merge();
        Assert.True(_store.Sweeper.TryEvict(_store.Sweeper.Evictions, byte.MaxValue, out _));
        Assert.Equal(0, _store.Count);
        Assert.Empty(_store.Log.Snapshot());
    }

    private void Rebuild()
    {
        List<string> damaged = [];
        var copy = Restored.CopyOf(_pile, damaged);
        _pile.Dispose();
        (_pile, _store) = (copy, copy.Records.All[0]);
        Assert.Empty(damaged);
        RecordValidator.Check(_pile, _store);
    }

    private PilePointer Own(long id)
    {
        var pointer = _pile.Put(Piles.Payload((ulong)id, 100));
        Records.PutPointer(_store, id, pointer);
        return pointer;
    }

    private long OffsetOf(long id)
    {
        var key = RecordKey.Of(_store.Hash, in id);
        var bucket = _store.Index.Lock(key.Hash);
        Assert.NotEqual(0, _store.Index.Find(bucket, key.Bytes, out var entry));
        _store.Index.UnlockUnchanged(bucket);
        return _pile.Records.Space.OffsetOf(entry.Granule);
    }

    private RecordState StateAt(long offset) => _pile.Records.Space.Header(offset).State;
}
