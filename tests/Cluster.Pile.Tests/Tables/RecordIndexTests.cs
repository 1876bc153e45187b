using Cluster.Pile.Tables.Index;
using Cluster.Pile.Tables.Records;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Tables;

public sealed class RecordIndexTests(ITestOutputHelper output)
{
    [Fact]
    public void Pages_OfRemovedKeys_AreMergedWhenThePileIsCompacted()
    {
        using var pile = Records.CreatePile(256 * Piles.MiB);
        var store = pile.Records.Create();
        const int count = 300_000;
        for (long id = 0; id < count; id++)
            Records.Put(store, id, BitConverter.GetBytes(id));
        var before = store.Index.Pages;
        for (long id = 0; id < count; id++)
        {
            if (id % 20 != 0)
                Records.Remove(store, id);
        }

        pile.Compact();
        output.WriteLine($"{before} pages, then {store.Index.Pages}");
        Assert.InRange(store.Index.Pages, 2, 8);
        for (long id = 0; id < count; id += 20)
            Records.CheckValue(store, id, BitConverter.GetBytes(id));
        RecordValidator.Check(pile, store);
        for (long id = 0; id < count; id++)
            Records.Put(store, id, BitConverter.GetBytes(id));
        Assert.InRange(store.Index.Pages, before, before * 2);
        RecordValidator.Check(pile, store);
    }

    [Fact]
    public void Pages_MergedAndSplitBesideReadersAndWriters_LoseNothing()
    {
        using var pile = Records.CreatePile(256 * Piles.MiB);
        var store = pile.Records.Create();
        var other = pile.Records.Create();
        for (long id = 0; id < 50_000; id++)
            Records.Put(other, id, "other"u8);
        long next = 1_000_000;
        var rounds = 0;
        var storm = new RecordStorm(store, 10_000, writers: 2, 60);
        storm.Run(readers: 2, writesPerThread: 150_000, () =>
        {
            // Keys beside those of the storm make pages split; without them the pages are merged again.
            for (var id = next; id < next + 60_000; id++)
                Records.Put(store, id, "filler"u8);
            for (var id = next; id < next + 60_000; id++)
                Records.Remove(store, id);
            store.Sweeper.Merge();
            rounds++;
        });
        output.WriteLine($"{rounds} rounds beside {storm}");
        RecordValidator.Check(pile, store);
        RecordValidator.Check(pile, other);
    }

    [Fact]
    public void Index_OfManyKeys_TakesLittle()
    {
        using var pile = Records.CreatePile(128 * Piles.MiB);

        // One seed of the hash: the seed decides how many pages split at the same time.
        var store = pile.Records.Create(new RecordTableOptions { HashSeed = 1 });
        var key = new byte[sizeof(long)];
        var worst = 0.0;
        var fullest = 0.0;
        for (long id = 1; id <= 600_000; id++)
        {
            BinaryPrimitives.WriteInt64LittleEndian(key, id);
            store.Put(new RecordKey(store.Hash.OfBytes(key), key), new RecordForm(), default);
            if (id < 100_000 || id % 500 != 0)
                continue;
            worst = Math.Max(worst, store.Index.Blocks * 65536.0 / id);
            var places = store.Index.Pages * IndexPage.Buckets * IndexPage.EntriesPerBucket;
            fullest = Math.Max(fullest, (double)id / places);
        }

        output.WriteLine($"at most {worst:F1} bytes per key; pages up to {fullest:P1} full");
        Assert.InRange(worst, 9, 22);
        Assert.InRange(fullest, 0.7, 1);
    }
}
