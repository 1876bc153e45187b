using Cluster.Testing.Caching;
using Xunit.Abstractions;

namespace Cluster.ConventionTests.TestKit;

/// <summary>The guarantees of the cache simulators and key sequences to tests and benchmarks.</summary>
public sealed class CacheSimulatorTests(ITestOutputHelper output)
{
    private const int Keys = 200_000;

    [Fact]
    public void Lru_ForgetsTheLongestUnused()
    {
        var cache = new LruSimulator(2);
        Assert.Equal([false, false, true, false, true, false], Run(cache, 1, 2, 1, 3, 1, 2));
    }

    [Fact]
    public void S3Fifo_KeepsWhatWasAskedForTwice_ThroughAScan()
    {
        var cache = new S3FifoSimulator(20);
        foreach (var key in new long[] { 1, 1, 1 }.Concat(AccessPatterns.Scan(100, 1000)))
            cache.Access(key);
        Assert.True(cache.Access(1));
        var lru = new LruSimulator(20);
        foreach (var key in new long[] { 1, 1, 1 }.Concat(AccessPatterns.Scan(100, 1000)))
            lru.Access(key);
        Assert.False(lru.Access(1));
    }

    [Fact]
    public void S3Fifo_RemembersWhatLeft_AndTakesItIntoMain()
    {
        var cache = new S3FifoSimulator(20);
        Run(cache, [.. Enumerable.Range(0, 25).Select(i => (long)i)]);
        Assert.False(cache.Access(0));
        Run(cache, [.. Enumerable.Range(100, 100).Select(i => (long)i)]);
        Assert.True(cache.Access(0));
    }

    [Theory]
    [InlineData(0.01)]
    [InlineData(0.1)]
    public void S3Fifo_UnderZipf_LiesBetweenLruAndTheBestPossible(double share)
    {
        var capacity = (int)(Keys * share);
        var simulated = HitRatio(new S3FifoSimulator(capacity));
        var lru = HitRatio(new LruSimulator(capacity));
        var best = Weights(capacity) / Weights(Keys);
        output.WriteLine($"{share:P0}: S3-FIFO {simulated:P2}, LRU {lru:P2}, best {best:P2}");
        Assert.InRange(simulated, lru + 0.005, best + 0.005);
    }

    [Theory]
    [InlineData(0.6)]
    [InlineData(0.99)]
    [InlineData(1.0)]
    [InlineData(1.2)]
    public void Zipf_DrawsEachRankAsOftenAsItsLawSays(double exponent)
    {
        const int Draws = 1_000_000;
        var counts = new int[100];
        foreach (var key in AccessPatterns.Zipf(17, counts.Length, exponent, Draws))
            counts[key]++;
        var all = Enumerable.Range(1, counts.Length).Sum(rank => Math.Pow(rank, -exponent));
        for (var i = 0; i < counts.Length; i++)
        {
            var expected = Draws * Math.Pow(i + 1, -exponent) / all;
            Assert.InRange(counts[i], expected - (6 * Math.Sqrt(expected)), expected + (6 * Math.Sqrt(expected)));
        }
    }

    [Fact]
    public void Patterns_RepeatThemselves_AndHaveTheirLength()
    {
        Assert.Equal(AccessPatterns.Zipf(5, 1000, 0.8, 500), AccessPatterns.Zipf(5, 1000, 0.8, 500));
        Assert.Equal([0, 1, 2, 0, 1], AccessPatterns.Loop(3, 5));
        var woven = AccessPatterns.ZipfBesideScan(5, (1000, 0.8), 100, 250).ToList();
        Assert.Equal(250, woven.Where(step => step.IsScan).Select(step => step.Key).Distinct().Count());
        Assert.Equal(100, woven.Count(step => !step.IsScan));
        Assert.True(woven[^1].IsScan);
    }

    private static bool[] Run(ICacheSimulator cache, params long[] keys) => [.. keys.Select(cache.Access)];

    private static double Weights(int ranks) => Enumerable.Range(1, ranks).Sum(rank => Math.Pow(rank, -0.99));

    private static double HitRatio(ICacheSimulator cache)
    {
        foreach (var key in AccessPatterns.Zipf(1, Keys, 0.99, 5 * Keys))
            cache.Access(key);
        return AccessPatterns.Zipf(2, Keys, 0.99, 5 * Keys).Count(cache.Access) / (5.0 * Keys);
    }
}
