using Cluster.Pile.Tables.Log;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tests.Tables;

public sealed class RecordStoreTests
{
    [Fact]
    public void Put_OfNewAndKnownKeys_InsertsAndReplaces()
    {
        using var pile = Records.CreatePile();
        var store = pile.Records.Create();
        Assert.Equal(RecordStatus.Missing, Records.Get(store, 1, out _));
        Assert.Equal(RecordStatus.Inserted, Records.Put(store, 1, "one"u8));
        Assert.Equal(RecordStatus.Inserted, Records.Put(store, 2, "two"u8));
        Assert.Equal(RecordStatus.Replaced, Records.Put(store, 1, "uno"u8));
        Records.CheckValue(store, 1, "uno"u8);
        Records.CheckValue(store, 2, "two"u8);
        Assert.Equal(2, store.Count);
        RecordValidator.Check(pile, store);
    }

    [Fact]
    public void Remove_OfKnownKey_IsFoundOnce()
    {
        using var pile = Records.CreatePile();
        var store = pile.Records.Create();
        Records.Put(store, 5, "five"u8);
        Assert.Equal(RecordStatus.Found, Records.Remove(store, 5));
        Assert.Equal(RecordStatus.Missing, Records.Remove(store, 5));
        Assert.Equal(RecordStatus.Missing, Records.Get(store, 5, out _));
        Assert.Equal(0, store.Count);
        RecordValidator.Check(pile, store);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(64)]
    [InlineData(255)]
    [InlineData(4095)]
    public void Key_OfAnyLength_NamesItsRecord(int length)
    {
        using var pile = Records.CreatePile();
        var store = pile.Records.Create();
        var bytes = Encoding.ASCII.GetBytes(new string('k', length));
        var other = Encoding.ASCII.GetBytes(new string('k', Math.Max(0, length - 1)) + "x");
        var key = new RecordKey(store.Hash.OfBytes(bytes), bytes);
        var unknown = new RecordKey(store.Hash.OfBytes(other), other);
        Assert.Equal(RecordStatus.Inserted, store.Put(key, default, "value"u8));
        Span<byte> value = stackalloc byte[16];
        Assert.Equal(RecordStatus.Found, store.Read(key, value, out var found));
        Assert.Equal("value"u8, value[..found.Length]);
        Assert.Equal(RecordStatus.Missing, store.Read(unknown, value, out _));
    }

    [Fact]
    public void Key_TooLong_IsRefused()
    {
        using var pile = Records.CreatePile();
        var store = pile.Records.Create();
        var bytes = new byte[RecordHeader.KeyBytesMax + 1];
        var hash = store.Hash.OfBytes(bytes);
        Assert.Equal(RecordStatus.TooLarge, store.Put(new RecordKey(hash, bytes), default, default));
        Assert.Equal(0, store.Count);
    }

    [Fact]
    public void Read_IntoTooSmallADestination_TellsTheLengthAndCopiesNothing()
    {
        using var pile = Records.CreatePile();
        var store = pile.Records.Create();
        Records.Put(store, 1, new byte[100]);
        var small = new byte[99];
        small.AsSpan().Fill(7);
        long id = 1;
        Assert.Equal(RecordStatus.Found, store.Read(RecordKey.Of(store.Hash, in id), small, out var found));
        Assert.Equal(100, found.Length);
        Assert.All(small, b => Assert.Equal(7, b));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(16_384)]
    [InlineData(16_385)]
    [InlineData(100_000)]
    [InlineData(524_288)]
    [InlineData(3_000_000)]
    public void Value_OfAnyLength_ComesBackAndIsReplaced(int length)
    {
        using var pile = Records.CreatePile();
        var store = pile.Records.Create();
        for (var round = 0; round < 3; round++)
        {
            foreach (var size in new[] { length, length + 1, Math.Max(0, length - 300), length / 2 })
            {
                var bytes = Piles.Payload((ulong)(size + round), size);
                Records.Put(store, 1, bytes);
                Records.CheckValue(store, 1, bytes);
                RecordValidator.Check(pile, store);
            }
        }

        Records.Remove(store, 1);
        RecordValidator.Check(pile, store);
    }

    [Fact]
    public void Put_UnderConditions_KeepsWhatTheySay()
    {
        using var pile = Records.CreatePile();
        var store = pile.Records.Create();
        Assert.Equal(RecordStatus.Missing, Records.Put(store, 1, "a"u8, RecordCondition.Present));
        Assert.Equal(RecordStatus.Missing, Records.Put(store, 1, "a"u8, RecordCondition.Unchanged));
        Assert.Equal(RecordStatus.Inserted, Records.Put(store, 1, "a"u8, RecordCondition.Absent));
        Assert.Equal(RecordStatus.Kept, Records.Put(store, 1, "b"u8, RecordCondition.Absent));
        var token = Records.TokenOf(store, 1);
        Assert.Equal(RecordStatus.Replaced, Records.Put(store, 1, "c"u8, RecordCondition.Unchanged, token));
        Assert.Equal(RecordStatus.Kept, Records.Put(store, 1, "d"u8, RecordCondition.Unchanged, token));
        Assert.Equal(RecordStatus.Kept, Records.Remove(store, 1, token));
        Records.CheckValue(store, 1, "c"u8);
        Assert.Equal(RecordStatus.Replaced, Records.Put(store, 1, "e"u8, RecordCondition.Present));
        Assert.Equal(RecordStatus.Found, Records.Remove(store, 1, Records.TokenOf(store, 1)));
    }

    [Fact]
    public void Pointer_OfARecord_EndsWithIt()
    {
        using var pile = Records.CreatePile();
        var store = pile.Records.Create();
        var (first, second, third) = (pile.Put("first"u8), pile.Put("second"u8), pile.Put("third"u8));
        Records.PutPointer(store, 1, first);
        Records.PutPointer(store, 1, second);
        Assert.False(pile.IsLive(first));
        Assert.True(pile.IsLive(second));
        Records.Remove(store, 1);
        Assert.False(pile.IsLive(second));
        Records.PutPointer(store, 1, third);
        Records.Put(store, 1, "bytes"u8);
        Assert.False(pile.IsLive(third));
    }

    [Fact]
    public void Index_GrowsThroughManySplits_AndLosesNothing()
    {
        using var pile = Records.CreatePile(256 * Piles.MiB);
        var store = pile.Records.Create();
        const int count = 300_000;
        for (long id = 0; id < count; id++)
            Assert.Equal(RecordStatus.Inserted, Records.Put(store, id, BitConverter.GetBytes(id)));
        Assert.True(store.Index.Pages >= 32, $"{store.Index.Pages} pages");
        for (long id = 0; id < count; id++)
            Records.CheckValue(store, id, BitConverter.GetBytes(id));
        Assert.Equal(RecordStatus.Missing, Records.Get(store, count, out _));
        RecordValidator.Check(pile, store);
        for (long id = 0; id < count; id += 2)
            Assert.Equal(RecordStatus.Found, Records.Remove(store, id));
        RecordValidator.Check(pile, store);
    }

    [Fact]
    public void Full_NonEvicting_RefusesAndChangesNothing()
    {
        using var pile = Records.CreatePile(8 * Piles.MiB);
        var store = pile.Records.Create();
        long id = 0;
        while (Records.Put(store, id, Piles.Payload((ulong)id, 1000)) == RecordStatus.Inserted)
            id++;
        var before = pile.GetStatistics().Objects;
        Assert.InRange(id, 6000, 8000);
        for (var attempt = 0; attempt < 10; attempt++)
            Assert.Equal(RecordStatus.Full, Records.Put(store, id + attempt, new byte[5000]));
        Assert.Equal(RecordStatus.Full, Records.Put(store, 0, new byte[50_000]));
        for (long known = 0; known < id; known++)
            Records.CheckValue(store, known, Piles.Payload((ulong)known, 1000));
        RecordValidator.Check(pile, store);
        Assert.Equal(before, pile.GetStatistics().Objects);
        for (long known = 0; known < id; known++)
            Records.Remove(store, known);
        Assert.Equal(RecordStatus.Inserted, Records.Put(store, 1, new byte[50_000]));
        RecordValidator.Check(pile, store);
    }

    [Fact]
    public void Segments_WhoseRecordsAllDied_GoBackToThePile()
    {
        using var pile = Records.CreatePile();
        var store = pile.Records.Create();
        for (var round = 0; round < 20; round++)
        {
            for (long id = 0; id < 10_000; id++)
                Records.Put(store, id, Piles.Payload((ulong)round, 400 + round));
        }

        RecordValidator.Check(pile, store);
        Assert.InRange(store.ReservedBytes, 0, 20 * Piles.MiB);
    }

    [Fact]
    public void ReadsAndPutsInPlace_AllocateNothing()
    {
        using var pile = Records.CreatePile();
        var store = pile.Records.Create();
        var value = new byte[64];
        for (long id = 0; id < 1000; id++)
            Records.Put(store, id, value);
        var allocated = Piles.AllocatedBytes(() =>
        {
            Span<byte> copy = stackalloc byte[64];
            for (long id = 0; id < 1000; id++)
            {
                var key = RecordKey.Of(store.Hash, in id);
                store.Read(key, copy, out _);
                store.Put(key, default, copy);
            }
        });
        Assert.Equal(0, allocated);
        allocated = Piles.AllocatedBytes(() =>
        {
            for (long id = 0; id < 1000; id++)
            {
                Records.Remove(store, id);
                Records.Put(store, id, value);
            }
        });
        Assert.InRange(allocated, 0, 1000);
    }

    [Fact]
    public void Statistics_OfThePile_TellWhatTablesTake()
    {
        using var pile = Records.CreatePile();
        var (first, second) = (pile.Records.Create(), pile.Records.Create());
        var objects = pile.Put(new byte[1000]);
        for (long id = 0; id < 20_000; id++)
            Records.Put(id % 3 == 0 ? first : second, id, new byte[100]);
        var statistics = pile.GetStatistics();
        Assert.Equal(first.ReservedBytes + second.ReservedBytes, statistics.RecordBytes);
        PileChecks.CountersAgree(pile);
        Assert.True(pile.Delete(objects));
        pile.Purge();
        Assert.Equal(first.ReservedBytes + second.ReservedBytes, pile.GetStatistics().RecordBytes);
    }

    [Fact]
    public void Purge_OfThePile_EmptiesItsTables()
    {
        using var pile = Records.CreatePile();
        var store = pile.Records.Create();
        for (long id = 0; id < 20_000; id++)
            Records.Put(store, id, new byte[100]);
        pile.Purge();
        Assert.Equal(0, store.Count);
        Assert.Equal(RecordStatus.Missing, Records.Get(store, 1, out _));
        RecordValidator.Check(pile, store);
        Assert.Equal(RecordStatus.Inserted, Records.Put(store, 1, "again"u8));
        RecordValidator.Check(pile, store);
    }
}
