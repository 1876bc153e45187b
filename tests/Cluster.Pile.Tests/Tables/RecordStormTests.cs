using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Tables;

public sealed class RecordStormTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(16, 200)]
    [InlineData(2_000, 200)]
    [InlineData(200_000, 100)]
    [InlineData(64, 20_000)]
    public void ReadersBesideWriters_SeeWholeValuesInOrder(int keys, int lengthMax)
    {
        using var pile = Records.CreatePile(512 * Piles.MiB);
        var store = pile.Records.Create();
        var storm = new RecordStorm(store, keys, writers: 2, lengthMax);
        storm.Run(readers: 2, writesPerThread: keys > 100_000 ? 250_000 : lengthMax > 1000 ? 20_000 : 150_000);
        output.WriteLine(storm.ToString());
        RecordValidator.Check(pile, store);
    }

    [Fact]
    public void ScanBesideWriters_MeetsEveryStayingKeyOnce()
    {
        using var pile = Records.CreatePile(512 * Piles.MiB);
        var store = pile.Records.Create();
        const int staying = 20_000;
        for (long id = 0; id < staying; id++)
            Records.Put(store, ~id, "stays"u8);
        var scans = 0;
        var storm = new RecordStorm(store, 100_000, writers: 2, 100);
        storm.Run(readers: 0 + 1, writesPerThread: 150_000, () =>
        {
            var met = new HashSet<long>();
            var scan = Cluster.Pile.Tables.RecordStore.BeginScan();
            while (store.TryNext(scan, out var key))
                Assert.True(met.Add(BitConverter.ToInt64(key)), "A key is met once.");
            for (long id = 0; id < staying; id++)
                Assert.Contains(~id, met);
            scans++;
        });
        output.WriteLine($"{scans} scans beside {storm}");
        Assert.True(scans > 0);
        RecordValidator.Check(pile, store);
    }
}
