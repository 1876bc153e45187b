using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tests.Tables;

/// <summary>The place of a record that died last, which the next one of the same extent takes.</summary>
public sealed class KeptPlaceTests
{
    [Fact]
    public void PutAndRemove_OfOneSize_AgainAndAgain_TakeOnePlace()
    {
        using var pile = Piles.Create();
        var store = pile.Records.Create();
        Records.Put(store, 1, new byte[300]);
        var reserved = store.ReservedBytes;
        for (var id = 2; id < 10_000; id++)
        {
            // More than the versions of a place, which then start again.
            Assert.Equal(RecordStatus.Inserted, Records.Put(store, id, Piles.Payload((ulong)id, 300)));
            Records.CheckValue(store, id, Piles.Payload((ulong)id, 300));
            Assert.Equal(RecordStatus.Found, Records.Remove(store, id));
        }

        Assert.Equal(reserved, store.ReservedBytes);
        Assert.Equal(0, store.DeadBytes);
        RecordValidator.Check(pile, store);
    }

    [Fact]
    public void Token_OfARecordThatDied_DoesNotNameTheNextOneInItsPlace()
    {
        using var pile = Piles.Create();
        var store = pile.Records.Create();
        Records.Put(store, 1, "old"u8);
        var token = Records.TokenOf(store, 1);
        Records.Remove(store, 1);
        Records.Put(store, 1, "new"u8);
        Assert.NotEqual(token, Records.TokenOf(store, 1));
        Assert.Equal(RecordStatus.Kept, Records.Put(store, 1, "bad"u8, RecordCondition.Unchanged, token));
        Assert.Equal(RecordStatus.Kept, Records.Remove(store, 1, token));
        Records.CheckValue(store, 1, "new"u8);
    }

    [Fact]
    public void Place_OfASegmentThatWasClosed_CountsAsDeadAndTheSegmentEnds()
    {
        using var pile = Piles.Create();
        var store = pile.Records.Create();
        Records.Put(store, 1, new byte[300]);
        Records.Remove(store, 1);
        Assert.Equal(0, store.DeadBytes);
        for (var id = 2; id < 2000; id++)
            Records.Put(store, id, new byte[1000]);
        RecordValidator.Check(pile, store);
        for (var id = 2; id < 2000; id++)
            Records.Remove(store, id);
        RecordValidator.Check(pile, store);
        Assert.InRange(store.Log.Blocks, 1, 8);
    }

    [Theory]
    [InlineData(16)]
    [InlineData(4)]
    public void ReadersBesideRecordsThatComeAndGo_SeeWholeValues(int keys)
    {
        using var pile = Piles.Create();
        var store = pile.Records.Create();
        var done = false;
        var failure = (Exception?)null;
        var reader = new Thread(() => failure = Record.Exception(() =>
        {
            for (var id = 0; !Volatile.Read(ref done); id = (id + 1) % keys)
            {
                if (Records.Get(store, id, out var value) == RecordStatus.Found)
                {
                    Assert.Equal(200, value.Length);
                    Assert.Equal(-1, value.AsSpan().IndexOfAnyExcept(value[0]));
                    Assert.Equal(id, value[0] % keys);
                }
            }
        }));
        reader.Start();
        var bytes = new byte[200];
        var random = new Random(keys);
        for (var round = 0; round < 200_000; round++)
        {
            // One key dies where the next one is written, all of the same size.
            var id = random.Next(keys);
            bytes.AsSpan().Fill((byte)((random.Next(256 / keys) * keys) + id));
            Records.Put(store, id, bytes);
            Records.Remove(store, id);
        }

        Volatile.Write(ref done, true);
        Assert.True(reader.Join(TimeSpan.FromMinutes(5)));
        Assert.Null(failure);
        RecordValidator.Check(pile, store);
    }
}
