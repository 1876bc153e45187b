using System.Diagnostics;
using Cluster.Pile.Caching;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Caching;

/// <summary>A table that grows under its readers.</summary>
public sealed class CacheGrowthTests(ITestOutputHelper output)
{
    private const int Readers = 2;
    private const int FirstKeys = 1_000;

    [Fact]
    [Trait("Case", "pile-26")]
    public void Growth_UnderReaders_LosesNoKey() => Check(500_000, 128 * Piles.MiB);

    [Fact]
    [Trait("Case", "pile-26")]
    [Trait("Category", "Soak")]
    public void GrowthToFiftyMillion_UnderReaders_LosesNoKey() => Check(50_000_000, 6144 * Piles.MiB);

    private void Check(int keys, long budgetBytes)
    {
        using var caches = new Caches(budgetBytes);
        var table = caches.Create<long, byte[]>();
        var (written, lost, reads) = (0L, 0L, 0L);
        var pauses = new long[64];
        Put(table, 0, FirstKeys, ref written);
        var readers = Enumerable.Range(0, Readers).Select(seed => new Thread(() =>
        {
            var random = new Random(seed);
            Span<byte> value = stackalloc byte[sizeof(long)];
            while (Volatile.Read(ref written) < keys)
            {
                var key = random.NextInt64(Volatile.Read(ref written));
                var began = Stopwatch.GetTimestamp();
                var isRight = table.TryRead(key, value, out _) && BitConverter.ToInt64(value) == key;
                var took = (long)Stopwatch.GetElapsedTime(began).TotalNanoseconds;
                Interlocked.Increment(ref pauses[64 - long.LeadingZeroCount(took | 1)]);
                Interlocked.Add(ref lost, isRight ? 0 : 1);
                Interlocked.Increment(ref reads);
            }
        })).ToList();
        readers.ForEach(reader => reader.Start());
        Put(table, FirstKeys, keys, ref written);
        readers.ForEach(reader => reader.Join());
        output.WriteLine($"{keys:N0} keys, {reads:N0} reads; {Slowest(pauses, reads)}.");
        Assert.Equal(0, lost);
        Assert.Equal(keys, table.Count);
        Span<byte> found = stackalloc byte[sizeof(long)];
        for (long key = 0; key < keys; key++)
        {
            Assert.True(table.TryRead(key, found, out _), $"{key} is lost.");
            Assert.Equal(key, BitConverter.ToInt64(found));
        }
    }

    private static void Put(CacheTable<long, byte[]> table, long from, long to, ref long written)
    {
        Span<byte> value = stackalloc byte[sizeof(long)];
        for (var key = from; key < to; key++)
        {
            BitConverter.TryWriteBytes(value, key);
            Assert.Equal(PutResult.Inserted, table.Put(key, value));
            Volatile.Write(ref written, key + 1);
        }
    }

    // How long a read takes at worst is also the machine's doing, so it is told and not judged.
    private static string Slowest(long[] pauses, long reads)
    {
        long seen = 0;
        for (var power = 0; power < pauses.Length; power++)
        {
            seen += pauses[power];
            if (seen >= reads * 0.9999)
                return $"99.99 % of them took less than {(1L << power) / 1000.0:N1} us";
        }

        return "none";
    }
}
