using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Records;
using Cluster.Testing.Caching;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Tables;

/// <summary>What tables do when there is no room, or too much of it.</summary>
public sealed class RecordSweepTests(ITestOutputHelper output)
{
    private static readonly RecordTableOptions Forgetting = new() { MayForget = true };

    [Fact]
    [Trait("Case", "pile-8")]
    public void Compact_AfterDeletes_BringsTheLogNearToWhatLives()
    {
        using var pile = Records.CreatePile(256 * Piles.MiB);
        var store = pile.Records.Create();
        const int count = 100_000;
        for (long id = 0; id < count; id++)
            Records.Put(store, id, Piles.Payload((ulong)id, 300));
        var random = new Random(3);
        var live = Enumerable.Range(0, count).Where(_ => random.Next(10) == 0).Select(id => (long)id).ToHashSet();
        for (long id = 0; id < count; id++)
        {
            if (!live.Contains(id))
                Records.Remove(store, id);
        }

        pile.Compact();
        foreach (var id in live)
            Records.CheckValue(store, id, Piles.Payload((ulong)id, 300));
        RecordValidator.Check(pile, store);
        var liveBytes = live.Count * 316L;
        output.WriteLine($"{store.Log.Blocks * 65536.0 / liveBytes:F3} of live");
        Assert.InRange(store.Log.Blocks * 65536, 0, (liveBytes * 5 / 4) + (RecordStore.LanesMax * 131072));
    }

    [Fact]
    public void Limit_OfAForgettingTable_IsKept()
    {
        using var pile = Records.CreatePile(256 * Piles.MiB);
        var store = pile.Records.Create(Forgetting with { LimitBytes = 8 * Piles.MiB });
        for (long id = 0; id < 200_000; id++)
        {
            Assert.Equal(RecordStatus.Inserted, Records.Put(store, id, Piles.Payload((ulong)id, 100)));
            if (id % 1000 == 0)
                Assert.InRange(store.ReservedBytes, 0, 8 * Piles.MiB);
        }

        RecordValidator.Check(pile, store);
        Assert.InRange(store.Count, 40_000, 72_000);
        Records.CheckValue(store, 199_999, Piles.Payload(199_999, 100));
        Assert.Equal(RecordStatus.Full, Records.Put(store, -1, new byte[9 * Piles.MiB]));
        Assert.InRange(store.Count, 40_000, 72_000);
        store.Options = store.Options with { LimitBytes = 4 * Piles.MiB };
        Assert.InRange(store.ReservedBytes, 0, 4 * Piles.MiB);
        RecordValidator.Check(pile, store);
    }

    [Fact]
    public void Limit_FarBelowTheIndex_LeavesRoomForRecords()
    {
        using var pile = Records.CreatePile(256 * Piles.MiB);
        var store = pile.Records.Create(Forgetting with { LimitBytes = 64 * Piles.MiB });
        for (long id = 0; id < 1_000_000; id++)
            Records.Put(store, id, BitConverter.GetBytes(id));
        Assert.InRange(store.Index.Blocks, 64, 1000);
        store.Options = store.Options with { LimitBytes = 3 * Piles.MiB };
        Assert.InRange(store.ReservedBytes, 0, 3 * Piles.MiB);
        Assert.InRange(store.Count, 10_000, 100_000);
        Assert.Equal(RecordStatus.Inserted, Records.Put(store, -1, "new"u8));
        RecordValidator.Check(pile, store);
    }

    [Fact]
    public void Pile_ThatIsFull_TakesFromForgettingTablesFirst()
    {
        using var pile = Records.CreatePile(32 * Piles.MiB);
        var durable = pile.Records.Create();
        var store = pile.Records.Create(Forgetting);
        for (long id = 0; id < 10_000; id++)
            Assert.Equal(RecordStatus.Inserted, Records.Put(durable, id, Piles.Payload((ulong)id, 100)));
        for (long id = 0; id < 400_000; id++)
            Assert.Equal(RecordStatus.Inserted, Records.Put(store, id, Piles.Payload((ulong)id, 100)));
        var cached = store.Count;
        var pointers = new List<PilePointer>();
        for (var put = 0; put < 10_000; put++)
            pointers.Add(pile.Put(Piles.Payload((ulong)put, 1000)));
        pile.Put(new byte[2 * Piles.MiB]);
        for (long id = 10_000; id < 50_000; id++)
            Assert.Equal(RecordStatus.Inserted, Records.Put(durable, id, Piles.Payload((ulong)id, 100)));
        Assert.InRange(store.Count, 0, cached / 2);
        for (long id = 0; id < 50_000; id++)
            Records.CheckValue(durable, id, Piles.Payload((ulong)id, 100));
        for (var put = 0; put < 10_000; put++)
            Assert.True(Piles.IsPayload(pile.GetBytes(pointers[put]), (ulong)put));
        RecordValidator.Check(pile, durable);
        RecordValidator.Check(pile, store);
    }

    [Fact]
    public void Priority_Lower_NeverDisplacesHigher()
    {
        using var pile = Records.CreatePile(64 * Piles.MiB);
        var store = pile.Records.Create(Forgetting with { LimitBytes = 8 * Piles.MiB });
        long kept = 0;
        while (Put(store, kept, 2) == RecordStatus.Inserted && kept < 30_000)
            kept++;
        for (long id = 100_000; id < 200_000; id++)
            Assert.Equal(RecordStatus.Inserted, Put(store, id, 1));
        for (long id = 0; id < kept; id++)
            Assert.Equal(RecordStatus.Found, Records.Get(store, id, out _));
        var displaced = 0;
        for (long id = 300_000; id < 400_000; id++)
            displaced += Put(store, id, 3) == RecordStatus.Displaced ? 1 : 0;
        Assert.True(displaced > 0);
        Assert.Equal(RecordStatus.Full, FirstRefusal(store));
        RecordValidator.Check(pile, store);
    }

    [Theory]
    [InlineData(0.01)]
    [InlineData(0.1)]
    public void HitRatio_OfZipf_IsNearTheSimulator(double share)
    {
        const int keys = 500_000;
        using var pile = Records.CreatePile(256 * Piles.MiB);
        var capacity = (int)(keys * share);
        var store = pile.Records.Create(Forgetting with { LimitBytes = LimitFor(capacity) });
        var zipf = new ZipfGenerator(11, keys, 0.99);
        var value = new byte[64];
        long hits = 0;
        long held = 0;
        const int warm = 500_000;
        const int measured = 500_000;
        for (var access = 0; access < warm + measured; access++)
        {
            var key = zipf.Next();
            if (store.Read(RecordKey.Of(store.Hash, in key), value, out _) == RecordStatus.Found)
                hits += access >= warm ? 1 : 0;
            else
                Records.Put(store, key, value);
            if (access == warm)
                held = store.Count;
        }

        var simulator = new S3FifoSimulator((int)held);
        zipf = new ZipfGenerator(11, keys, 0.99);
        long expected = 0;
        for (var access = 0; access < warm + measured; access++)
            expected += simulator.Access(zipf.Next()) && access >= warm ? 1 : 0;
        var (ratio, best) = (hits * 100.0 / measured, expected * 100.0 / measured);
        output.WriteLine($"{ratio:F2} % with {held:N0} entries, simulator {best:F2} %");
        Assert.InRange(ratio, best - 1.5, 100);
    }

    [Fact]
    public void Eviction_BesideReadersAndWriters_LeavesWholeValues()
    {
        using var pile = Records.CreatePile(64 * Piles.MiB);
        var store = pile.Records.Create(Forgetting with { LimitBytes = 6 * Piles.MiB });
        var storm = new RecordStorm(store, 200_000, writers: 2, 100) { MayForget = true };
        storm.Run(readers: 2, writesPerThread: 300_000);
        output.WriteLine(storm.ToString());
        RecordValidator.Check(pile, store);
    }

    [Fact]
    public void Merging_BesideReadersAndWriters_LosesNothing()
    {
        using var pile = Records.CreatePile(256 * Piles.MiB);
        var store = pile.Records.Create();
        var storm = new RecordStorm(store, 20_000, writers: 2, 2000);
        var compactions = 0;
        storm.Run(readers: 1, writesPerThread: 100_000, () =>
        {
            store.Sweeper.Merge();
            compactions++;
        });
        output.WriteLine($"{compactions} compactions beside {storm}");
        pile.Compact();
        RecordValidator.Check(pile, store);
    }

    // The number of records of 80 bytes that fit, with the index that they need.
    private static long LimitFor(int capacity) => (capacity * 100L) + (4 * 65536);

    private static RecordStatus Put(RecordStore store, long id, byte priority) =>
        store.Put(RecordKey.Of(store.Hash, in id), new RecordForm { Priority = priority }, new byte[100]);

    private static RecordStatus FirstRefusal(RecordStore store)
    {
        for (long id = 500_000; id < 600_000; id++)
        {
            var status = Put(store, id, 0);
            if (status != RecordStatus.Inserted)
                return status;
        }

        return RecordStatus.Inserted;
    }
}
