using Cluster.Testing.Caching;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Caching;

/// <summary>
/// How much of a stream of keys a table keeps, beside simulators with as many entries as the table has.
/// </summary>
public sealed class CacheHitRatioTests(ITestOutputHelper output)
{
    private const int ValueBytes = 64;
    private const double PointsBelowSimulator = 0.015;
    private const double PointsLostToScan = 0.03;

    [Theory]
    [Trait("Case", "pile-23")]
    [InlineData(0.6)]
    [InlineData(0.99)]
    [InlineData(1.2)]
    public void Zipf_IsNearTheSimulator(double exponent) => CheckZipf(exponent, 4 * Piles.MiB, seed: 23);

    [Theory]
    [Trait("Case", "pile-23")]
    [Trait("Category", "Soak")]
    [InlineData(0.6, 10)]
    [InlineData(0.8, 10)]
    [InlineData(0.99, 10)]
    [InlineData(0.99, 100)]
    [InlineData(1.2, 10)]
    public void ZipfOverTenMillionKeys_IsNearTheSimulator(double exponent, int keysPerEntry)
        => CheckZipf(exponent, 100 * Piles.MiB * 10 / keysPerEntry, seed: 2323, keysPerEntry);

    [Theory]
    [Trait("Case", "pile-23")]
    [InlineData(4)]
    public void Scan_OfTenTimesTheCapacity_CostsLittle(int limitMiB) => CheckScan(limitMiB * Piles.MiB, seed: 24);

    [Theory]
    [Trait("Case", "pile-23")]
    [Trait("Category", "Soak")]
    [InlineData(100)]
    public void LargeScan_OfTenTimesTheCapacity_CostsLittle(int limitMiB)
        => CheckScan(limitMiB * Piles.MiB, seed: 2424);

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
