using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Objects;

/// <summary>Compaction: what it gives back, what it moves, and that nobody notices.</summary>
public sealed class CompactTests(ITestOutputHelper output)
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task Compact_AfterDeletes_GivesBackAllButTheReserve()
    {
        using var pile = Create(128 * Piles.MiB, reserveBytes: 4 * Piles.MiB);
        var pointers = Enumerable.Range(0, 80_000).Select(i => pile.Put(Piles.Payload((ulong)i, 1000))).ToList();
        Assert.All(pointers.Skip(10), pointer => Assert.True(pile.Delete(pointer)));
        pile.Compact();

        var after = pile.GetStatistics();
        Assert.Equal(2, after.SegmentsReady);
        Assert.InRange(after.SegmentsInUse, 1, 2);
        Assert.InRange(after.SegmentsGivenBack, 30, 60);
        Assert.InRange(after.ReservedBytes, 4 * Piles.MiB, 9 * Piles.MiB);

        // The reserve fills itself in the background: what it is just preparing is resident before it is counted. The
        // kernel may join small pages to a huge one of 2 MiB, and then gives memory to all of it.
        await Eventually.TrueAsync(
            () =>
            {
                var (resident, reserved) = (ResidentMemory.Of(pile), pile.GetStatistics().ReservedBytes);
                output.WriteLine($"{resident} bytes are resident, {reserved} reserved");
                return resident >= 4 * Piles.MiB && resident <= reserved + (4 * Piles.MiB);
            },
            Bound);
        for (var i = 0; i < 10; i++)
            Assert.True(Piles.IsPayload(pile.GetBytes(pointers[i]), (ulong)i));
        PileChecks.CountersAgree(pile);
    }

    [Fact]
    public async Task Compact_WithoutReserve_LeavesNothingOfAnEmptiedPile()
    {
        using var pile = Create(64 * Piles.MiB, reserveBytes: 0);
        var pointers = Enumerable.Range(0, 30_000).Select(i => pile.Put(Piles.Payload((ulong)i, 1000))).ToList();
        pointers.Add(pile.Put(new byte[8 * Piles.MiB]));
        Assert.All(pointers, pointer => Assert.True(pile.Delete(pointer)));
        pile.Compact();
        var after = pile.GetStatistics();
        Assert.Equal((0, 0, 0), (after.SegmentsInUse, after.SegmentsReady, after.ReservedBytes));
        // The background thread may still be giving back what it has uncounted already.
        await Eventually.TrueAsync(() => ResidentMemory.Of(pile) <= Piles.MiB, Bound);
        Assert.Equal(default, pile.Compact());
    }

    [Fact]
    public void Compact_WhenAnotherThreadHoldsFreeSlots_DrainsItsMagazines()
    {
        using var pile = Create(32 * Piles.MiB, reserveBytes: 0);
        var pointers = Enumerable.Range(0, 20).Select(_ => pile.Put(new byte[1000])).ToList();
        var (deleted, end) = (new ManualResetEventSlim(), new ManualResetEventSlim());
        var thread = new Thread(() =>
        {
            pointers.ForEach(pointer => pile.Delete(pointer));
            deleted.Set();
            end.Wait(Bound);
        });
        thread.Start();
        Assert.True(deleted.Wait(Bound));
        Assert.Equal(2 * Piles.MiB, pile.Compact().ReleasedBytes);
        end.Set();
        Assert.True(thread.Join(Bound));
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Compact_OfSparseBodies_MovesThemTogetherAndKeepsPointersAndContents()
    {
        using var pile = Create(256 * Piles.MiB, reserveBytes: 0);
        var pointers = Linked(pile, 40_000);
        var kept = pointers.Where((_, i) => i % 20 == 0).ToList();
        foreach (var pointer in pointers.Where((_, i) => i % 20 != 0))
            Assert.True(pile.Delete(pointer));
        var before = pile.GetStatistics();
        var done = pile.Compact();
        var after = pile.GetStatistics();

        output.WriteLine($"{done}, {before.ReservedBytes:N0} -> {after.ReservedBytes:N0} bytes");
        Assert.InRange(done.MovedLinks, kept.Count / 2, kept.Count);
        Assert.Equal(kept.Count, after.Links);
        Assert.Equal(before.LiveBytes, after.LiveBytes);
        var bodies = after.SizeClasses.Single(c => c.SlotBytes > 900);
        Assert.InRange(bodies.Slots, kept.Count, kept.Count * 5 / 4);
        CheckContents(pile, kept);
        Assert.Equal(0, pile.Compact().MovedLinks);
        Assert.All(kept, pointer => Assert.True(pile.Delete(pointer)));
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Compact_MovesBodiesOfStringsAndGraphs_AsTheyAre()
    {
        using var pile = Create(64 * Piles.MiB, reserveBytes: 0);
        var pointers = Enumerable.Range(0, 4000).Select(_ => pile.Put(1)).ToList();
        for (var i = 0; i < pointers.Count; i++)
        {
            if (i % 3 == 0)
                pile.Put(pointers[i], Text(i));
            else if (i % 3 == 1)
                pile.Put(pointers[i], Text(i).ToCharArray());
            else
                pile.Put(pointers[i], Piles.Payload((ulong)i, 700));
        }

        for (var i = 0; i < pointers.Count; i++)
            Assert.True(i % 32 < 3 || pile.Delete(pointers[i]));
        Assert.InRange(pile.Compact().MovedLinks, 50, 4000);
        for (var i = 0; i < pointers.Count; i++)
        {
            if (i % 32 >= 3)
                Assert.Throws<InvalidPilePointerException>(() => pile.SizeOf(pointers[i]));
            else if (i % 3 == 0)
                Assert.Equal(Text(i), pile.GetString(pointers[i]));
            else if (i % 3 == 1)
                Assert.Equal(Text(i).ToCharArray(), pile.Get<char[]>(pointers[i]));
            else
                Assert.Equal(Piles.Payload((ulong)i, 700), pile.GetBytes(pointers[i]));
        }

        static string Text(int number) => new((char)('a' + (number % 26)), 650);
    }

    [Fact]
    public void Compact_BesideReadersAndWriters_LosesNothing()
    {
        using var pile = Create(128 * Piles.MiB, reserveBytes: 2 * Piles.MiB);
        var failures = new List<string>();
        var done = false;
        var threads = Enumerable.Range(0, 3).Select(number => new Thread(() =>
        {
            try
            {
                for (var round = 0; !Volatile.Read(ref done); round++)
                    Work(pile, (ulong)number, round);
            }
            catch (Exception e)
            {
                lock (failures)
                    failures.Add(e.ToString());
            }
        })).ToList();
        threads.ForEach(thread => thread.Start());
        long moved = 0;
        var started = Stopwatch.GetTimestamp();

        // Until there was something to move: the threads may begin late.
        for (var i = 0; (i < 60 || moved == 0) && Stopwatch.GetElapsedTime(started) < Bound; i++)
            moved += pile.Compact().MovedLinks;
        Volatile.Write(ref done, true);
        threads.ForEach(thread => Assert.True(thread.Join(Bound)));
        Assert.Empty(failures);
        output.WriteLine($"{moved:N0} bodies moved");
        Assert.True(moved > 0);
        Piles.CheckEmpty(pile);
        pile.Compact();
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Compact_BesidePurgeAndDispose_EndsWithTheDocumentedException()
    {
        for (var round = 0; round < 20; round++)
        {
            var pile = Create(64 * Piles.MiB, reserveBytes: 0);
            Linked(pile, 2000);
            Exception? failure = null;
            var started = new ManualResetEventSlim();
            var thread = new Thread(() =>
            {
                try
                {
                    while (true)
                    {
                        pile.Compact();
                        started.Set();
                    }
                }
                catch (Exception e)
                {
                    failure = e;
                }
            });
            thread.Start();
            Assert.True(started.Wait(Bound));
            pile.Purge();
            Linked(pile, 1000);
            pile.Dispose();
            Assert.True(thread.Join(Bound));
            Assert.IsType<ObjectDisposedException>(failure);
        }
    }

    [Fact]
    public void StalePointers_AcrossCompaction_AreAllRefused()
    {
        using var pile = Create(64 * Piles.MiB, reserveBytes: 0);
        var stale = new List<PilePointer>();
        for (var round = 0; round < 8; round++)
        {
            var pointers = Linked(pile, 3000);
            foreach (var pointer in pointers.Where((_, i) => i % 10 != 0))
                Assert.True(pile.Delete(pointer));
            stale.AddRange(pointers.Where((_, i) => i % 10 != 0));
            pile.Compact();
            Assert.DoesNotContain(stale, pile.IsLive);
        }
    }

    private static LocalPile Create(long budgetBytes, long reserveBytes) =>
        new(new PileOptions { BudgetBytes = budgetBytes, ReserveBytes = reserveBytes });

    private static List<PilePointer> Linked(LocalPile pile, int count)
    {
        var pointers = Enumerable.Range(0, count).Select(_ => pile.Put(new byte[8])).ToList();
        for (var i = 0; i < count; i++)
            pile.Put(pointers[i], Piles.Payload(pointers[i].ToUInt64(), 900));
        return pointers;
    }

    private static void CheckContents(LocalPile pile, List<PilePointer> pointers) =>
        Assert.All(pointers, pointer => Assert.True(Piles.IsPayload(pile.GetBytes(pointer), pointer.ToUInt64())));

    private static void Work(LocalPile pile, ulong number, int round)
    {
        var pointers = new List<PilePointer>();
        for (var i = 0; i < 600; i++)
        {
            var pointer = pile.Put(new byte[8]);
            pile.Put(pointer, Piles.Payload(number, 300 + (i % 3 * 200)));
            pointers.Add(pointer);
        }

        for (var pass = 0; pass < 6; pass++)
        {
            foreach (var pointer in pointers)
                Assert.True(Piles.IsPayload(pile.GetBytes(pointer), number));
            var odd = pointers.Where((_, i) => i % 3 != round % 3).ToList();
            Assert.All(odd, pointer => Assert.True(pile.Delete(pointer)));
            pointers = [.. pointers.Except(odd)];
            foreach (var pointer in pointers)
                pile.Put(pointer, Piles.Payload(number, 300 + (pass * 50)));
        }

        Assert.All(pointers, pointer => Assert.True(pile.Delete(pointer)));
    }
}
