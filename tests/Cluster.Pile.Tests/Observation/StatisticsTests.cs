using Cluster.Testing;

namespace Cluster.Pile.Tests.Observation;

/// <summary>Counts of operations, their rates, and fragmentation.</summary>
public sealed class StatisticsTests
{
    [Fact]
    public void Operations_OfEveryKind_AreCountedOnceEach()
    {
        using var pile = Piles.Create();
        var bytes = pile.Put(new byte[40]);
        var text = pile.Put("text");
        var graph = pile.Put(new List<int> { 1, 2 });
        pile.Put(bytes, new byte[4000]);
        Check(pile, puts: 4, gets: 0, deletes: 0);

        pile.Read(bytes, new byte[4000]);
        Assert.Equal(4000, pile.GetBytes(bytes).Length);
        Assert.Equal(4000, pile.Get<byte[]>(bytes).Length);
        Assert.Equal("text", pile.GetString(text));
        Assert.Equal(2, pile.Get<List<int>>(graph).Count);
        Check(pile, puts: 4, gets: 5, deletes: 0);

        var lists = new List<int>[2];
        pile.GetMany([graph, graph], lists.AsSpan());
        Assert.Equal(3, pile.GetMany([text, text, bytes], new byte[4020], new int[3]));
        Check(pile, puts: 4, gets: 10, deletes: 0);

        Assert.Equal(4000, pile.SizeOf(bytes));
        Assert.True(pile.Delete(bytes));
        Assert.False(pile.Delete(bytes));
        Assert.Throws<InvalidPilePointerException>(() => pile.GetBytes(bytes));
        Assert.Throws<InvalidPilePointerException>(() => pile.Put(bytes, [1]));
        Check(pile, puts: 4, gets: 10, deletes: 1);
        pile.Purge();
        Check(pile, puts: 4, gets: 10, deletes: 1);
    }

    [Fact]
    public void Overhead_OfBlocksThatAreOnlyReady_IsNone()
    {
        using var pile = new LocalPile(
            new PileOptions { BudgetBytes = 128 * Piles.MiB, ReserveBytes = 128 * Piles.MiB });
        var payload = new byte[64];
        for (var i = 0; i < 300_000; i++)
            pile.Put(payload.AsSpan());
        Assert.True(SpinWait.SpinUntil(() => pile.GetStatistics().SegmentsReady > 20, TimeSpan.FromSeconds(30)));
        var statistics = pile.GetStatistics();
        Assert.InRange((double)statistics.OverheadBytes / statistics.Objects, 8, 9);
        PileChecks.CountersAgree(pile);
    }

    [Fact]
    public void Reads_OfManyThreads_AreNearlyAllCounted()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(new byte[40]);
        var threads = Enumerable.Range(0, 4).Select(_ => new Thread(() =>
        {
            var buffer = new byte[40];
            for (var i = 0; i < 50_000; i++)
                pile.Read(pointer, buffer);
        })).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        Assert.InRange(pile.GetStatistics().Gets, 100_000, 200_000);
    }

    [Fact]
    public void Rates_ByTheClock_CoverAtLeastASecondAndForgetWhatIsOlder()
    {
        var clock = new ManualTimeProvider();
        using var pile = new LocalPile(new PileOptions { TimeProvider = clock });
        Work(pile, 30);
        Assert.Equal((0, 0, 0), Rates(pile));
        clock.Advance(TimeSpan.FromSeconds(0.5));
        Assert.Equal((60, 120, 60), Rates(pile));
        clock.Advance(TimeSpan.FromSeconds(9.5));
        Assert.Equal((3, 6, 3), Rates(pile));

        Work(pile, 20);
        clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal((2, 4, 2), Rates(pile));
        clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal((0, 0, 0), Rates(pile));
        Work(pile, 5);
        clock.Advance(TimeSpan.FromSeconds(0.9));
        Assert.Equal(5 / 10.9, pile.GetStatistics().PutsPerSecond, 6);
    }

    [Fact]
    public void Fragmentation_IsTheShareOfFreeSlots()
    {
        using var pile = Piles.Create();
        Assert.Equal(0, pile.GetStatistics().Fragmentation);
        var pointers = Enumerable.Range(0, 2 * 65536 / 512).Select(_ => pile.Put(new byte[504])).ToList();
        Assert.Equal(0, pile.GetStatistics().Fragmentation);
        Assert.All(pointers.Where((_, i) => i % 2 == 0), pointer => Assert.True(pile.Delete(pointer)));
        Assert.Equal(1.0 / 2, pile.GetStatistics().Fragmentation, 6);
        var large = pile.Put(new byte[65536 * 6]);
        Assert.Equal(1.0 / 9, pile.GetStatistics().Fragmentation, 6);
        Assert.True(pile.Delete(large));
    }

    private static void Check(LocalPile pile, long puts, long gets, long deletes)
    {
        var s = pile.GetStatistics();
        Assert.Equal((puts, gets, deletes), (s.Puts, s.Gets, s.Deletes));
    }

    private static (double Puts, double Gets, double Deletes) Rates(LocalPile pile)
    {
        var s = pile.GetStatistics();
        return (s.PutsPerSecond, s.GetsPerSecond, s.DeletesPerSecond);
    }

    private static void Work(LocalPile pile, int count)
    {
        for (var i = 0; i < count; i++)
        {
            var pointer = pile.Put(new byte[8]);
            pile.Read(pointer, new byte[8]);
            pile.GetBytes(pointer);
            pile.Delete(pointer);
        }
    }
}
