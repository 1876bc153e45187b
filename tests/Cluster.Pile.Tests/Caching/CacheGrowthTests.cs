using Cluster.Pile.Caching;
using Cluster.Pile.Tests.Observation;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Caching;

/// <summary>A table that grows under its readers.</summary>
[Collection(nameof(RunsAlone))]
[Trait("Case", "pile-26")]
public sealed class CacheGrowthTests(ITestOutputHelper output)
{
    private const int FirstKeys = 1_000;
    private const long LongNanoseconds = 200_000;
    private const long LongestNanoseconds = 5_000_000;
    private const long OperationsPerLong = 10_000;
    private const int AttemptsMax = 10;

    // One processor is the writer's, so that nobody waits for his like.
    private static readonly int Readers = Math.Clamp(Environment.ProcessorCount - 1, 1, 4);

    [RequiresFileFact(RunDelays.Path)]
    public void Growth_UnderReaders_LosesNoKey_AndPausesNobody() => Check(500_000, 128 * Piles.MiB);

    [RequiresFileFact(RunDelays.Path)]
    [Trait("Category", "Soak")]
    public void GrowthToFiftyMillion_UnderReaders_LosesNoKey_AndPausesNobody() =>
        Check(50_000_000, 6144 * Piles.MiB);

    // The host of a virtual machine gives it memory when it likes, and stops its processors for some milliseconds
    // before the system tells: but not every time.
    private void Check(int keys, long budgetBytes)
    {
        // The first calls of all are made slow by being compiled.
        Grow(10 * FirstKeys, budgetBytes, LongNanoseconds);

        // An operation may take a block of memory that nobody has used.
        var longNanoseconds = LongNanoseconds + FreshMemory.MeasureBlock();
        for (var attempt = 1; ; attempt++)
        {
            var meters = Grow(keys, budgetBytes, longNanoseconds);
            var operations = meters.Sum(meter => meter.Count);
            var longest = meters.Max(meter => meter.Longest);
            var longOnes = meters.Sum(meter => meter.CountLong);
            output.WriteLine(
                $"{keys:N0} keys, {operations:N0} operations, {longOnes} of {longNanoseconds / 1000:N0} us and more, "
                + $"{string.Join(", ", meters.Select(meter => $"{meter.Longest / 1000:N0}"))} us at most");
            if (longest < LongestNanoseconds && longOnes * OperationsPerLong <= operations)
                return;
            Assert.InRange(attempt, 1, AttemptsMax - 1);
        }
    }

    private static List<PauseMeter> Grow(int keys, long budgetBytes, long longNanoseconds)
    {
        using var caches = new Caches(budgetBytes);
        var table = caches.Create<long, byte[]>();
        var (written, lost) = (0L, 0L);
        var meters = new List<PauseMeter>();
        using var delays = new RunDelays();
        using var stolen = new StolenTime();
        delays.AddThisThread();
        var putter = new PauseMeter(delays, stolen, longNanoseconds);
        meters.Add(putter);
        Put(table, (0, FirstKeys), putter, ref written);
        var readers = Enumerable.Range(0, Readers).Select(seed => new Thread(() =>
        {
            delays.AddThisThread();
            var meter = new PauseMeter(delays, stolen, longNanoseconds);
            lock (meters)
                meters.Add(meter);
            var random = new Random(seed);
            Span<byte> value = stackalloc byte[sizeof(long)];
            while (Volatile.Read(ref written) < keys)
            {
                var key = random.NextInt64(Volatile.Read(ref written));
                meter.Begin();
                var isRight = table.TryRead(key, value, out _);
                meter.End();
                isRight &= BitConverter.ToInt64(value) == key;
                Interlocked.Add(ref lost, isRight ? 0 : 1);
            }
        })).ToList();
        readers.ForEach(reader => reader.Start());
        Put(table, (FirstKeys, keys), putter, ref written);
        readers.ForEach(reader => reader.Join());
        Assert.Equal(0, lost);
        Assert.Equal(keys, table.Count);
        CheckAll(table, keys);
        return meters;
    }

    private static void Put(
        CacheTable<long, byte[]> table, (long From, long To) keys, PauseMeter meter, ref long written)
    {
        Span<byte> value = stackalloc byte[sizeof(long)];
        var isRight = true;
        for (var key = keys.From; key < keys.To; key++)
        {
            BitConverter.TryWriteBytes(value, key);
            meter.Begin();
            var result = table.Put(key, value);
            meter.End();
            isRight &= result == PutResult.Inserted;
            Volatile.Write(ref written, key + 1);
        }

        Assert.True(isRight, "Every put is of a new key.");
    }

    private static void CheckAll(CacheTable<long, byte[]> table, int keys)
    {
        Span<byte> found = stackalloc byte[sizeof(long)];
        for (long key = 0; key < keys; key++)
        {
            Assert.True(table.TryRead(key, found, out _), $"{key} is lost.");
            Assert.Equal(key, BitConverter.ToInt64(found));
        }
    }
}
