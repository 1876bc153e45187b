using Cluster.Testing.Caching;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Caching;

/// <summary>How much of a stream of keys a table keeps, beside simulators with as many entries as the table
/// has.</summary>
public sealed class CacheHitRatioTests(ITestOutputHelper output)
{
    private const int ValueBytes = 64;
    private const double PointsBelowSimulator = 0.015;
    private const double PointsLostToScan = 0.03;

    [Theory]
    [Trait("Case", "pile-23")]
    [InlineData(0.8)]
    [InlineData(1.2)]
    public void Zipf_IsNearTheSimulator(double exponent) => CheckZipf(exponent, 2 * Piles.MiB, seed: 23);

    [Theory]
    [Trait("Case", "pile-23")]
    [Trait("Category", "Soak")]
    [InlineData(0.6, 10)]
    [InlineData(0.8, 10)]
    [InlineData(0.99, 10)]
    [InlineData(0.99, 100)]
    [InlineData(1.2, 10)]
    public void ZipfOverTenMillionKeys_IsNearTheSimulator(double exponent, int keysPerEntry) =>
        CheckZipf(exponent, 100 * Piles.MiB * 10 / keysPerEntry, seed: 2323, keysPerEntry);

    [Theory]
    [Trait("Case", "pile-23")]
    [InlineData(2)]
    public void Scan_OfTenTimesTheCapacity_CostsLittle(int limitMiB) => CheckScan(limitMiB * Piles.MiB, seed: 24);

    [Theory]
    [Trait("Case", "pile-23")]
    [Trait("Category", "Soak")]
    [InlineData(100)]
    public void LargeScan_OfTenTimesTheCapacity_CostsLittle(int limitMiB) =>
        CheckScan(limitMiB * Piles.MiB, seed: 2424);

    [Theory]
    [Trait("Case", "pile-23")]
    [InlineData(1.02)]
    [InlineData(1.5)]
    public void Loop_IsNearTheSimulator(double keysPerEntry) => CheckLoop(keysPerEntry, 4 * Piles.MiB);

    [Theory]
    [Trait("Case", "pile-23")]
    [Trait("Category", "Soak")]
    [InlineData(1.05, 4)]
    [InlineData(1.1, 4)]
    [InlineData(1.25, 4)]
    [InlineData(1.75, 4)]
    [InlineData(2, 4)]
    [InlineData(3, 4)]
    [InlineData(1.05, 100)]
    [InlineData(1.1, 100)]
    [InlineData(1.5, 100)]
    [InlineData(2, 100)]
    public void LongLoop_IsNearTheSimulator(double keysPerEntry, int limitMiB) =>
        CheckLoop(keysPerEntry, limitMiB * Piles.MiB);

    [Fact]
    [Trait("Case", "pile-23")]
    public void DemandThatEndsALoop_IsSoonFollowed()
    {
        const int Seed = 25;
        using var run = new HitRatioRun(2 * Piles.MiB, ValueBytes);
        var loop = AccessPatterns.Loop(run.Capacity * 6 / 5, run.Capacity * 20L);
        var zipf = AccessPatterns.Zipf(Seed, run.Capacity * 10L, 0.9, run.Capacity * 40L);
        run.Compare(loop.Concat(zipf.Take(run.Capacity * 20)), zipf.Skip(run.Capacity * 20));
        output.WriteLine($"zipf 0.9 after a loop, seed {Seed}: {run}");
        Assert.InRange(run.Table, run.S3Fifo - PointsBelowSimulator, 1);
    }

    /// <summary>Streams with the exponents, requests per object, and shares of objects asked for once that are
    /// published of clusters of Twitter in March 2020 (Yang, Yue, Vinayak, OSDI 2020); the traces themselves are not
    /// shipped.</summary>
    [Theory]
    [Trait("Case", "pile-23")]
    [InlineData(19, 0.735, 4.7, 0.0746)]
    [InlineData(45, 0.6372, 2.9, 0.4874)]
    [InlineData(48, 0.8191, 3.5, 0.4428)]
    public void StatisticsOfPublicTraces_AreNearTheSimulator(
        int cluster, double exponent, double requestsPerKey, double askedOnce) =>
        CheckPublished(cluster, (exponent, requestsPerKey, askedOnce));

    [Theory]
    [Trait("Case", "pile-23")]
    [Trait("Category", "Soak")]
    [InlineData(4, 1.1004, 26.5, 0.2933)]
    [InlineData(29, 1.2323, 22.5, 0.2304)]
    [InlineData(40, 0.8551, 11.8, 0.001)]
    [InlineData(52, 1.2117, 32.6, 0.1936)]
    [InlineData(54, 1.611, 9.8, 0.5483)]
    public void StatisticsOfLongPublicTraces_AreNearTheSimulator(
        int cluster, double exponent, double requestsPerKey, double askedOnce) =>
        CheckPublished(cluster, (exponent, requestsPerKey, askedOnce));

    private void CheckLoop(double keysPerEntry, long limitBytes)
    {
        using var run = new HitRatioRun(limitBytes, ValueBytes);
        var keys = (long)(run.Capacity * keysPerEntry);
        run.Compare(AccessPatterns.Loop(keys, 15 * keys), AccessPatterns.Loop(keys, 5 * keys));
        output.WriteLine($"loop of {keys:N0} keys: {run}");
        Assert.InRange(run.Table, run.S3Fifo - PointsBelowSimulator, 1);
    }

    private void CheckPublished(int cluster, (double Exponent, double RequestsPerKey, double AskedOnce) law)
    {
        using var run = new HitRatioRun(2 * Piles.MiB, ValueBytes);
        var keys = run.Capacity * 10L;
        var once = (long)(keys * law.AskedOnce);
        var half = (int)(keys * law.RequestsPerKey) / 2;
        var stream = AccessPatterns
            .ZipfBesideScan(cluster, (keys - once, law.Exponent), (2 * half) - once, once).Select(step => step.Key);
        run.Compare(stream.Take(half), stream.Skip(half));
        output.WriteLine($"as cluster {cluster}, {keys:N0} keys, seed {cluster}: {run}");
        Assert.InRange(run.Table, run.S3Fifo - PointsBelowSimulator, 1);
    }

    private void CheckZipf(double exponent, long limitBytes, int seed, int keysPerEntry = 10)
    {
        using var run = new HitRatioRun(limitBytes, ValueBytes);
        long keys = run.Capacity * keysPerEntry;
        var length = Math.Max(keys, run.Capacity * 20L);
        run.Compare(
            AccessPatterns.Zipf(seed, keys, exponent, length), AccessPatterns.Zipf(seed + 1, keys, exponent, length));
        output.WriteLine($"zipf {exponent} over {keys:N0} keys, seed {seed}: {run}");
        Assert.InRange(run.Table, run.S3Fifo - PointsBelowSimulator, 1);
    }

    private void CheckScan(long limitBytes, int seed)
    {
        using var run = new HitRatioRun(limitBytes, ValueBytes);
        long keys = run.Capacity * 10;
        var length = run.Capacity * 20L;
        var warmUp = AccessPatterns.Zipf(seed, keys, 0.99, length);
        run.Compare(warmUp, AccessPatterns.Zipf(seed + 1, keys, 0.99, length));
        var undisturbed = run.Table;
        var disturbed = run.HitRatioBeside(
            AccessPatterns.ZipfBesideScan(seed + 2, (keys, 0.99), length, scanLength: run.Capacity * 10L));
        output.WriteLine($"zipf 0.99 over {keys:N0} keys, seed {seed}: {run}; beside a scan {disturbed:P2}");
        Assert.InRange(disturbed, undisturbed - PointsLostToScan, 1);
    }
}
