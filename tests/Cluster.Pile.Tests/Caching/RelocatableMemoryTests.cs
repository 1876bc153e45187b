using Cluster.Pile.Caching;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Caching;

/// <summary>What entries, which move together, take of a pile after much was removed, and after their sizes
/// changed.</summary>
public sealed class RelocatableMemoryTests(ITestOutputHelper output)
{
    private const int Threads = 2;
    private const int SizeMax = 1_000;
    private const int Rounds = 5;

    [Fact]
    [Trait("Case", "pile-8")]
    public void Compact_AfterNineOfTenWereRemoved_LeavesAQuarterMoreThanLives() =>
        CheckCompact(200_000, 256 * Piles.MiB);

    [Fact]
    [Trait("Case", "pile-8")]
    [Trait("Category", "Soak")]
    public void Compact_AfterNineOfTenOfFiveMillionWereRemoved_LeavesAQuarterMoreThanLives() =>
        CheckCompact(5_000_000, 4096 * Piles.MiB);

    [Fact]
    [Trait("Case", "pile-9")]
    public Task SizesThatChange_LeaveAQuarterMoreThanLives() => CheckChangeAsync(50_000, TimeSpan.Zero);

    [Fact]
    [Trait("Case", "pile-9")]
    [Trait("Category", "Soak")]
    [Trait("Case", "experience-L4")]
    public Task SizesThatChange_InHalfAnHour_LeaveAQuarterMoreThanLives() =>
        CheckChangeAsync(150_000, TimeSpan.FromMinutes(30) / (2 * Rounds));

    /// <summary>The segment that is open at the end has the size that fits the full table, and is nearly
    /// empty.</summary>
    [Fact]
    public async Task OpenSegmentOfAFullTable_IsGivenBack_WhenTheTableIsNearlyEmptyAndQuiet()
    {
        const int Left = 2_000;
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 256 * Piles.MiB });
        var table = new PileCache(pile).GetOrCreateTable<long, byte[]>("entries", NonEvicting);
        var value = new byte[SizeMax];
        long key = 0;
        long before;
        do
        {
            before = LogBytes(pile);
            Assert.Equal(PutResult.Inserted, table.Put(key++, value));
        }
        while (before < 64 * Piles.MiB || LogBytes(pile) == before);
        Assert.Equal(2 * Piles.MiB, LogBytes(pile) - before);

        for (var other = Left; other < key; other++)
            Assert.True(table.Remove(other));
        await Eventually.TrueAsync(() => LogBytes(pile) <= Left * SizeMax * 5 / 4, TimeSpan.FromMinutes(1));
        for (var other = 0; other < Left; other++)
            Assert.True(table.TryRead(other, value, out _));
    }

    private void CheckCompact(int count, long budgetBytes)
    {
        const int Seed = 8;
        using var pile = new LocalPile(new PileOptions { BudgetBytes = budgetBytes });
        var table = new PileCache(pile).GetOrCreateTable<long, byte[]>("entries", NonEvicting);
        var random = new Random(Seed);
        var value = new byte[SizeMax];
        long live = 0;
        var isLeft = new bool[count];
        for (var key = 0; key < count; key++)
        {
            var size = random.Next(2, SizeMax + 1);
            isLeft[key] = random.Next(10) == 0;
            live += isLeft[key] ? sizeof(long) + size : 0;
            BitConverter.TryWriteBytes(value, (short)key);
            Assert.Equal(PutResult.Inserted, table.Put(key, value.AsSpan(0, size)));
        }

        var full = table.GetStatistics().Bytes;
        for (var key = 0; key < count; key++)
            Assert.True(isLeft[key] || table.Remove(key));
        pile.Compact();
        var left = table.GetStatistics();
        output.WriteLine(
            $"{count:N0} entries, seed {Seed}: {full:N0} -> {left.Bytes:N0} bytes, {(double)left.Bytes / live:F3} of live");
        Assert.InRange(left.Bytes, live, live * 5 / 4);
        Assert.Equal(isLeft.Count(isThere => isThere), left.Entries);
        for (var key = 0; key < count; key++)
            Assert.True(table.TryRead(key, value, out _) == isLeft[key] && (!isLeft[key] || IsValueOf(key, value)));
    }

    // Live bytes are those of records, headers included; what the index takes is told.
    private async Task CheckChangeAsync(int perThread, TimeSpan roundTime)
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 2048 * Piles.MiB });
        var table = new PileCache(pile).GetOrCreateTable<long, byte[]>("entries", NonEvicting);
        var workers = Enumerable.Range(0, Threads).Select(number => new Worker(table, number, perThread)).ToList();
        foreach (var (from, to, share) in new[] { (2, SizeMax, 1.4), (60, 70, 1 / 0.8) })
        {
            OnAll(workers, worker => worker.Change(from, to));
            for (var round = 0; round < Rounds; round++)
                OnAll(workers, worker => worker.Churn(from, to, roundTime));
            var live = workers.Sum(worker => worker.LiveBytes);
            await Eventually.TrueAsync(() => LogBytes(pile) <= live * share, TimeSpan.FromMinutes(1));
            var (log, all) = (LogBytes(pile), table.GetStatistics().Bytes);
            output.WriteLine(
                $"sizes {from} to {to}, {live:N0} bytes live: log {(double)log / live:F3}, with index {(double)all / live:F3}");
        }

        workers.ForEach(worker => worker.CheckAll());
    }

    private static long LogBytes(LocalPile pile) => pile.Records.All.Sum(store => store.Log.Blocks) << 16;

    private static CacheTableOptions NonEvicting => new() { Kind = CacheTableKind.NonEvicting };

    private static bool IsValueOf(long key, byte[] value) => BitConverter.ToInt16(value) == (short)key;

    private static void OnAll(List<Worker> workers, Action<Worker> work) =>
        Task.WaitAll([.. workers.Select(worker => Task.Run(() => work(worker)))]);

    /// <summary>Keeps as many entries all the time. Used by one thread at a time.</summary>
    private sealed class Worker(CacheTable<long, byte[]> table, int number, int count)
    {
        private readonly Random _random = new(number);
        private readonly int[] _sizes = new int[count];
        private readonly byte[] _value = new byte[SizeMax];

        public long LiveBytes => _sizes.Sum(size => 8L + 8 + ((size + 7) & ~7));

        /// <summary>Leaves one of ten of what there is, and fills up with other sizes.</summary>
        public void Change(int from, int to)
        {
            for (var index = 0; index < count; index++)
            {
                if (_sizes[index] != 0 && index % 10 != 0)
                    Assert.True(table.Remove(KeyOf(index)));
            }

            for (var index = 0; index < count; index++)
            {
                if (_sizes[index] == 0 || index % 10 != 0)
                    Put(index, _random.Next(from, to + 1));
            }
        }

        /// <summary>As many pairs of remove and put as there are entries, or as the time allows.</summary>
        public void Churn(int from, int to, TimeSpan time)
        {
            var began = Stopwatch.GetTimestamp();
            do
            {
                for (var pair = 0; pair < count; pair++)
                {
                    var index = _random.Next(count);
                    Assert.True(table.Remove(KeyOf(index)));
                    Put(index, _random.Next(from, to + 1));
                }
            }
            while (Stopwatch.GetElapsedTime(began) < time);
        }

        public void CheckAll()
        {
            for (var index = 0; index < count; index++)
            {
                Assert.True(table.TryRead(KeyOf(index), _value, out var length) && IsValueOf(index, _value));
                Assert.Equal(_sizes[index], length);
            }
        }

        private long KeyOf(int index) => ((long)index * Threads) + number;

        private void Put(int index, int size)
        {
            BitConverter.TryWriteBytes(_value, (short)index);
            _sizes[index] = size;
            Assert.NotEqual(PutResult.Refused, table.Put(KeyOf(index), _value.AsSpan(0, size)));
        }
    }
}
