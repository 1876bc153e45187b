using Cluster.Pile.Caching;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Caching;

/// <summary>Memory of expired entries comes back although nobody reads.</summary>
public sealed class CacheReclaimTests(ITestOutputHelper output)
{
    [Fact]
    [Trait("Case", "pile-22")]
    public void ExpiredEntries_AreRemoved_WithoutAnyRead()
    {
        using var caches = new Caches();
        var table = caches.Create<int, byte[]>(new CacheTableOptions { Kind = CacheTableKind.NonEvicting });
        for (var key = 0; key < 50_000; key++)
            table.Put(key, Piles.Payload(1, 100).AsSpan(), maxAge: TimeSpan.FromSeconds(1 + (key % 100)));
        table.Put(-1, "stays"u8);
        var full = table.GetStatistics().Bytes;

        // A quarter of the longest life after its end, and a second for the sweep.
        caches.Clock.Advance(TimeSpan.FromSeconds(100 + 25 + 2));
        var statistics = table.GetStatistics();
        Assert.Equal((1, 50_000), (statistics.Entries, statistics.Expiries));
        Assert.InRange(statistics.Bytes, 1, full / 2);
        Assert.Equal(0, statistics.Hits + statistics.Misses);
    }

    [Fact]
    [Trait("Case", "pile-22")]
    public void PutsWithAges_GoOnForEver_InBoundedMemory() => Churn(steps: 600, seed: 22);

    [Fact]
    [Trait("Case", "pile-22")]
    [Trait("Category", "Soak")]
    public void ManyPutsWithAges_GoOnForEver_InBoundedMemory() => Churn(steps: 60_000, seed: 2222);

    // Nothing is evicted in a durable table, so every put that is not refused stands on memory that came back.
    private void Churn(int steps, int seed)
    {
        const int BytesPerStep = 512 << 10;
        using var caches = new Caches(128 * Piles.MiB);
        var table = caches.Create<long, byte[]>(new CacheTableOptions { Kind = CacheTableKind.NonEvicting });
        var random = new Random(seed);
        var buffer = new byte[8 << 20];
        long put = 0;
        long most = 0;
        long key = 0;
        for (var step = 0; step < steps; step++)
        {
            for (var left = BytesPerStep; left > 0;)
            {
                var length = (int)(16 * Math.Pow(buffer.Length / 16.0, Math.Pow(random.NextDouble(), 3)));
                left -= length;
                put += length;
                var age = TimeSpan.FromSeconds(1 + (random.NextDouble() * 19));
                var result = table.Put(key++, buffer.AsSpan(0, length), maxAge: age);
                Assert.True(result == PutResult.Inserted, $"seed {seed}, step {step}: {length:N0} bytes were {result}");
            }

            caches.Clock.Advance(TimeSpan.FromSeconds(1));
            most = Math.Max(most, table.GetStatistics().Bytes);
        }

        output.WriteLine($"{key:N0} entries of {put >> 20:N0} MiB, seed {seed}: at most {most >> 20:N0} MiB.");
        Assert.True(put > 4 * most, "The memory must have been used again.");
    }
}
