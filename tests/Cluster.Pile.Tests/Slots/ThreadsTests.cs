using Cluster.Pile.Slots;

namespace Cluster.Pile.Tests.Slots;

/// <summary>The registry of threads, purge and dispose beside running operations, and the background reserve.</summary>
public sealed class ThreadsTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    public void Enter_OfDeadThreads_ReusesTheirCaches()
    {
        var registry = new ThreadCacheRegistry();
        var caches = new HashSet<ThreadCache>();
        for (var i = 0; i < 20; i++)
        {
            var thread = new Thread(() =>
            {
                var cache = registry.Enter();
                cache.Objects++;
                caches.Add(cache);
                cache.Exit();
            });
            thread.Start();
            Assert.True(thread.Join(Bound));
        }

        Assert.InRange(caches.Count, 1, 3);
        Assert.Equal(20, registry.Sum(cache => cache.Objects));
    }

    [Fact]
    public void Enter_OfTwoPilesInTurn_FindsEachCacheAgain()
    {
        var (one, other) = (new ThreadCacheRegistry(), new ThreadCacheRegistry());
        var first = Enter(one);
        var second = Enter(other);
        Assert.NotSame(first, second);
        Assert.Same(first, Enter(one));
        Assert.Same(second, Enter(other));
        one.Close();
        Assert.Throws<ObjectDisposedException>(one.Enter);
        Assert.Same(second, Enter(other));

        static ThreadCache Enter(ThreadCacheRegistry registry)
        {
            var cache = registry.Enter();
            cache.Exit();
            return cache;
        }
    }

    [Fact]
    public void RunAlone_BesideOperations_WaitsForThemAndHoldsOthersBack()
    {
        var registry = new ThreadCacheRegistry();
        var (inside, violations, done) = (0, 0, false);
        var threads = Enumerable.Range(0, 4).Select(_ => new Thread(() =>
        {
            while (!Volatile.Read(ref done))
            {
                var cache = registry.Enter();
                Interlocked.Increment(ref inside);
                Interlocked.Decrement(ref inside);
                cache.Exit();
            }
        })).ToList();
        threads.ForEach(thread => thread.Start());
        for (var i = 0; i < 200; i++)
        {
            registry.RunAlone(_ =>
            {
                for (var look = 0; look < 100; look++)
                    violations += Volatile.Read(ref inside);
            });
            registry.WaitForOperations();
        }

        Volatile.Write(ref done, true);
        threads.ForEach(thread => Assert.True(thread.Join(Bound)));
        Assert.Equal(0, violations);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void PurgeOrDispose_UnderLoad_EndsOperationsWithDocumentedExceptions(bool dispose)
    {
        for (var round = 0; round < 5; round++)
        {
            using var pile = Piles.Create(32 * Piles.MiB);
            var (failures, done) = (new List<Exception>(), false);
            var threads = Enumerable.Range(0, 4).Select(number => new Thread(() =>
            {
                try
                {
                    Work(pile, number, ref done);
                }
                catch (ObjectDisposedException) when (dispose)
                {
                    // What is documented.
                }
                catch (Exception e)
                {
                    lock (failures)
                        failures.Add(e);
                }
            })).ToList();
            threads.ForEach(thread => thread.Start());
            for (var i = 0; i < 20 && !dispose; i++)
                pile.Purge();
            if (dispose)
                pile.Dispose();
            Volatile.Write(ref done, true);
            threads.ForEach(thread => Assert.True(thread.Join(Bound)));
            Assert.Empty(failures);
            if (dispose)
                continue;
            pile.Purge();
            Piles.CheckEmpty(pile);
            PileChecks.AllSlotsAreFree(pile);
        }
    }

    [Fact]
    public void Reserve_AfterAPeak_GivesSegmentsBack()
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 128 * Piles.MiB, ReserveBytes = 8 * Piles.MiB });
        for (var round = 0; round < 3; round++)
        {
            var pointers = Enumerable.Range(0, 80_000).Select(i => pile.Put(Piles.Payload((ulong)i, 1000))).ToList();
            Assert.True(pile.GetStatistics().ReservedBytes > 75 * Piles.MiB);
            for (var i = 0; i < pointers.Count; i += 7)
                Assert.True(Piles.IsPayload(pile.GetBytes(pointers[i]), (ulong)i));
            Assert.All(pointers, pointer => Assert.True(pile.Delete(pointer)));
            pile.Purge();
            Assert.True(SpinWait.SpinUntil(() => pile.GetStatistics().ReservedBytes < 32 * Piles.MiB, Bound));
        }
    }

    [Theory]
    [InlineData(32, 2)]
    [InlineData(100, 30)]
    public void Reserve_BeyondTheStart_IsPreparedAhead(int reserveMiB, int segments)
    {
        var reserve = reserveMiB * Piles.MiB;
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 128 * Piles.MiB, ReserveBytes = reserve });
        Assert.InRange(pile.GetStatistics().ReservedBytes, 0, Piles.MiB);
        for (var i = 0; i < 36_000; i++)
            pile.Put(new byte[1000].AsSpan());
        Assert.True(SpinWait.SpinUntil(() => pile.GetStatistics().SegmentsReady >= segments, Bound));
        PileChecks.CountersAgree(pile);
    }

    private static void Work(LocalPile pile, int number, ref bool done)
    {
        var random = new Random(number);
        var pointers = new List<PilePointer>();
        var buffer = new byte[3000];
        while (!Volatile.Read(ref done))
        {
            try
            {
                var size = random.Next(8, 3000);
                Piles.Fill(buffer.AsSpan(0, size), (ulong)size);
                pointers.Add(pile.Put(buffer.AsSpan(0, size)));
                var pointer = pointers[random.Next(pointers.Count)];
                var length = pile.Read(pointer, buffer);
                if (!Piles.IsPayload(buffer.AsSpan(0, length), (ulong)length))
                    throw new InvalidOperationException("torn");
                if (random.Next(3) == 0)
                    pile.Delete(pointer);
            }
            catch (PileException)
            {
                // Purged or full: start again.
                pointers.ForEach(pointer => pile.Delete(pointer));
                pointers.Clear();
            }
        }
    }
}
