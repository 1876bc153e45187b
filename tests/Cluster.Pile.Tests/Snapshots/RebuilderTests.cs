using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>A pile that is rebuilt from its blocks holds what the first one held, and works on.</summary>
public sealed class RebuilderTests(ITestOutputHelper output)
{
    private const uint Margin = 1 << 16;

    [Theory]
    [InlineData(0u)]
    [InlineData(Margin)]
    public void Rebuild_AfterRandomWork_HasTheSameObjects(uint margin)
    {
        var seed = Environment.ProcessId;
        output.WriteLine($"seed {seed}");
        using var pile = Piles.Create(512 * Piles.MiB);
        var model = Work(pile, new Random(seed), []);
        using var copy = PileCopy.Rebuild(pile, out var damaged, margin);

        Assert.Empty(damaged);
        Check(copy, model);
        var before = pile.GetStatistics();
        var after = copy.GetStatistics();
        Assert.Equal(
            (before.Objects, before.Links, before.LiveBytes, before.LargeObjects),
            (after.Objects, after.Links, after.LiveBytes, after.LargeObjects));
        Check(copy, Work(copy, new Random(seed + 1), model));
        foreach (var pointer in model.Keys)
            Assert.True(copy.Delete(pointer));
        Piles.CheckEmpty(copy);
        PileValidator.Check(copy);
    }

    [Fact]
    public void Rebuild_WithMargin_NeverGivesAPointerThatThisManyLivesCouldHaveGiven()
    {
        using var pile = Piles.Create();
        var kept = pile.Put(Piles.Payload(1, 40));
        pile.Delete(pile.Put(Piles.Payload(2, 40)));
        var gone = pile.Put(Piles.Payload(3, 300_000));
        pile.Delete(gone);
        using var copy = PileCopy.Rebuild(pile, out _, Margin);

        // What the first pile gives from now on, the copy knows nothing of.
        var unknown = new HashSet<PilePointer>();
        pile.Delete(kept);
        for (var i = 0; i < 3000; i++)
        {
            var pointer = pile.Put(Piles.Payload(4, i % 3 == 0 ? 300_000 : 40));
            unknown.Add(pointer);
            pile.Delete(pointer);
        }

        Assert.True(copy.Delete(kept));
        for (var i = 0; i < 3000; i++)
        {
            var pointer = copy.Put(Piles.Payload(4, i % 3 == 0 ? 300_000 : 40));
            Assert.DoesNotContain(pointer, unknown);
            copy.Delete(pointer);
        }

        Assert.All(unknown, pointer => Assert.Throws<InvalidPilePointerException>(() => copy.SizeOf(pointer)));
        PileValidator.Check(copy);
    }

    [Fact]
    public void Rebuild_OfLockedSlots_KeepsThemOrFreesThem()
    {
        using var pile = Piles.Create();
        var locked = pile.Put(Piles.Payload(1, 40));
        var other = pile.Put(Piles.Payload(2, 40));
        Lock(pile, locked);
        using var whole = PileCopy.Rebuild(pile, out _, busyIsWhole: true);
        using var torn = PileCopy.Rebuild(pile, out _, busyIsWhole: false);

        Assert.Equal(Piles.Payload(1, 40), whole.GetBytes(locked));
        Assert.False(torn.IsLive(locked));
        Assert.True(torn.IsLive(other));
        Assert.Equal(1, torn.GetStatistics().Objects);
        PileValidator.Check(whole);
        PileValidator.Check(torn);
    }

    [Theory]
    [InlineData(200)]
    [InlineData(300_000)]
    public void Rebuild_OfABodyWithoutOwner_FreesIt_AndOfAnOwnerWithoutBody_ToldAsDamage(int grown)
    {
        using var pile = Piles.Create();
        var first = pile.Put(Piles.Payload(1, 24));
        var second = pile.Put(Piles.Payload(2, 24));
        pile.Put(first, Piles.Payload(3, grown));
        pile.Put(second, Piles.Payload(4, grown));
        using var copy = PileCopy.Make(pile);

        // Both owners claim the body of the second; the body of the first has none.
        var space = copy.Context.Space;
        Assert.True(space.TryResolve(first, out var owner) & space.TryResolve(second, out var rival));
        space.SetLink(owner, space.Link(rival));
        var damaged = PileCopy.Rebuild(copy, pile.Context.Arena.Frontier);

        Assert.Single(damaged);
        var survivor = copy.IsLive(first) ? first : second;
        Assert.Equal(Piles.Payload(4, grown), copy.GetBytes(survivor));
        Assert.Equal((1, 1), (copy.GetStatistics().Objects, copy.GetStatistics().Links));
        PileValidator.Check(copy);
    }

    [Theory]
    [InlineData((int)SlabState.Vacant)]
    [InlineData((int)SlabState.Freed)]
    [InlineData((int)SlabState.RunTail)]
    public void Rebuild_OfASlabWithoutOneOfItsBlocks_DropsIt_AndNoPointerComesBack(int state)
    {
        using var pile = Piles.Create();
        var pointers = Enumerable.Range(0, 20).Select(i => pile.Put(Piles.Payload((ulong)i, 20_000))).ToList();
        using var copy = PileCopy.Make(pile);
        var block = Enumerable.Range(1, 100).First(b => copy.Context.Table.Entry(b) is { Blocks: 4, Position: 2 });
        PileCopy.SetEntryState(copy, block, (SlabState)state);
        var damaged = PileCopy.Rebuild(copy, pile.Context.Arena.Frontier);

        Assert.NotEmpty(damaged);
        Assert.Contains(pointers, pointer => !copy.IsLive(pointer));
        var lost = pointers.Where(pointer => !copy.IsLive(pointer)).ToHashSet();
        for (var i = 0; i < 100; i++)
            Assert.DoesNotContain(copy.Put(Piles.Payload(1, 20_000)), lost);
        PileValidator.Check(copy);
    }

    [Fact]
    public void Rebuild_OfSlabsAndRunsThatHadEnded_MakesTheirBlocksVacant()
    {
        using var pile = Piles.Create();
        var small = pile.Put(Piles.Payload(1, 200_000));
        var run = pile.Put(Piles.Payload(1, 400_000));
        Assert.True(pile.Delete(small) & pile.Delete(run));
        var last = pile.Context.Arena.Frontier;
        var ended = Enumerable.Range(1, (int)last)
            .Where(b => pile.Context.Table.Entry(b).State == SlabState.Freed).ToList();
        using var copy = PileCopy.Rebuild(pile, out var damaged);

        Assert.Empty(damaged);
        Assert.Equal(7, ended.Count);
        Assert.All(ended, block => Assert.Equal(SlabState.Vacant, copy.Context.Table.Entry(block).State));
        for (var i = 0; i < 100; i++)
        {
            var pointer = copy.Put(Piles.Payload(1, i % 2 == 0 ? 200_000 : 400_000));
            Assert.DoesNotContain(pointer, (PilePointer[])[small, run]);
        }

        PileValidator.Check(copy);
    }

    /// <summary>Otherwise the next pile at the same addresses begins with records of nobody.</summary>
    [Fact]
    public void Copy_ThatEndsBeforeItIsRebuilt_LeavesZeroBytes()
    {
        // Few tests have a pile of about this size, so the next pile gets the addresses of the copy.
        var options = new PileOptions { BudgetBytes = 5L << 30 };
        using var pile = new LocalPile(options);
        pile.Delete(pile.Put(Piles.Payload(1, 400_000)));
        var copy = PileCopy.Make(pile);
        Assert.Contains(Words(copy), word => word != 0);
        copy.Dispose();
        using var next = new LocalPile(options);
        Assert.DoesNotContain(Words(next), word => word != 0);

        IEnumerable<ulong> Words(LocalPile of)
        {
            var end = of.Layout.BlockOffset(pile.Context.Arena.Frontier + 1);
            for (var at = of.Layout.BlockOffset(1); at < end; at += sizeof(ulong))
                yield return of.Window.ReadWord(at);
        }
    }

    [Fact]
    public void Rebuild_OfAnEndedRun_WhoseLengthIsWrong_EndsNothingElse()
    {
        using var pile = Piles.Create();
        var gone = pile.Put(Piles.Payload(1, 400_000));
        var stays = pile.Put(Piles.Payload(2, 400_000));
        Assert.True(pile.Delete(gone));
        using var copy = PileCopy.Make(pile);
        copy.Context.Table.SetCount(SlabTable.BlockOf(gone.Granule), 50);
        var damaged = PileCopy.Rebuild(copy, pile.Context.Arena.Frontier);

        Assert.Empty(damaged);
        Assert.Equal(Piles.Payload(2, 400_000), copy.GetBytes(stays));
        PileValidator.Check(copy);
    }

    [Fact]
    public void Rebuild_WhenGenerationsRunOut_NeverUsesTheBlockAgain()
    {
        using var pile = new LocalPile(new PileOptions
        {
            BudgetBytes = 16 * Piles.MiB,
            GenerationFirst = GenerationMask.CounterMax - 10,
        });
        var kept = pile.Put(Piles.Payload(1, 40));
        pile.Delete(pile.Put(Piles.Payload(1, 400_000)));
        using var copy = PileCopy.Rebuild(pile, out var damaged, Margin);

        Assert.Empty(damaged);
        Assert.True(copy.Delete(kept));
        Assert.Equal(0, copy.GetStatistics().SizeClasses.Sum(c => c.FreeSlots));
        Assert.True(copy.Context.Arena.RetiredBlocks > 0);
        PileValidator.Check(copy);
    }

    [Fact]
    public void Rebuild_OfObjectsWithTimesToLive_ForgetsThoseThatAreOver_AndEndsTheOthers()
    {
        var clock = new ManualTimeProvider();
        using var pile = new LocalPile(Piles.Options(clock, TimeSpan.Zero));
        var brief = pile.Put(Piles.Payload(1, 40), new PutHints { TimeToLive = TimeSpan.FromSeconds(5) });
        var grown = pile.Put(Piles.Payload(2, 24), new PutHints { TimeToLive = TimeSpan.FromSeconds(5) });
        pile.Put(grown, Piles.Payload(2, 240));
        var later = pile.Put(Piles.Payload(3, 40), new PutHints { TimeToLive = TimeSpan.FromDays(1) });
        var large = pile.Put(Piles.Payload(4, 400_000), new PutHints { TimeToLive = TimeSpan.FromSeconds(5) });
        var origin = PileCopy.OriginOf(pile);
        clock.Advance(TimeSpan.FromSeconds(6));
        using var copy = PileCopy.Make(pile, clock: clock);
        var rebuilt = PileCopy.Rebuild(copy, pile.Context.Arena.Frontier);

        Assert.Empty(rebuilt);
        Assert.True(origin.ClockStep < copy.Context.Deadlines.Clock.Now);
        Assert.All((PilePointer[])[brief, grown, large], pointer => Assert.False(copy.IsLive(pointer)));
        Assert.True(copy.IsLive(later));
        Assert.Equal((1, 0), (copy.GetStatistics().Objects, copy.GetStatistics().Links));
        Assert.NotEqual(0u, copy.Context.Deadlines.Earliest);
        PileValidator.Check(copy);
    }

    [Fact]
    public void Rebuild_OfSegments_TakesTheirBlocksAndTellsThem()
    {
        using var pile = Piles.Create();
        pile.Put(Piles.Payload(1, 40));
        using var copy = PileCopy.Make(pile);
        var last = pile.Context.Arena.Frontier;
        SetEntry(last + 2, SlabState.SegmentHead, SizeClasses.LogIndex);
        SetEntry(last + 3, SlabState.SegmentTail, SizeClasses.LogIndex);
        SetEntry(last + 4, SlabState.SegmentHead, SizeClasses.LogIndex);
        SetEntry(last + 5, SlabState.SegmentHead, SizeClasses.PageIndex);
        var rebuilder = PileCopy.NewRebuilder(copy, []);
        rebuilder.Run(last + 5);

        Assert.Equal([(last + 2, 2L), (last + 4, 1L)], rebuilder.Segments);
        var taken = Piles.FillUp(copy, BlockLayout.BlockBytes * 5 / 2);
        Assert.NotEmpty(taken);
        Assert.Equal(SlabState.SegmentTail, copy.Context.Table.Entry(last + 3).State);
        Assert.Equal(3, copy.Context.Arena.RecordBlocks);

        void SetEntry(long block, SlabState state, int index) =>
            copy.Context.Table.SetEntry(block, default(SlabEntry).NextLife(state, index, 0, 1));
    }

    private static void Lock(LocalPile pile, PilePointer pointer)
    {
        Assert.True(pile.Context.Space.TryResolve(pointer, out var place));
        Assert.True(pile.Context.Space.TryLock(place, pile.Context.Space.Header(place)));
    }

    private static Dictionary<PilePointer, byte[]> Work(
        LocalPile pile, Random random, Dictionary<PilePointer, byte[]> model)
    {
        for (var i = 0; i < 8_000; i++)
        {
            var size = random.Next(50) == 0 ? random.Next(600_000) : random.Next(1, 400);
            var victim = model.Count == 0 ? default : model.Keys.ElementAt(random.Next(Math.Min(model.Count, 50)));
            var value = Piles.Payload((ulong)random.NextInt64(), size);
            try
            {
                switch (random.Next(4))
                {
                    case 0 or 1:
                        model[pile.Put(value)] = value;
                        break;
                    case 2 when model.Count > 0:
                        pile.Put(victim, value);
                        model[victim] = value;
                        break;
                    case 3 when model.Count > 0:
                        Assert.True(pile.Delete(victim));
                        model.Remove(victim);
                        break;
                    default:
                        break;
                }
            }
            catch (PileFullException) when (model.Count > 0)
            {
                Assert.True(pile.Delete(victim));
                model.Remove(victim);
            }
        }

        return model;
    }

    private static void Check(LocalPile pile, Dictionary<PilePointer, byte[]> model)
    {
        foreach (var (pointer, value) in model)
            Assert.Equal(value, pile.GetBytes(pointer));
        Assert.True(PileValidator.Check(pile).SetEquals(model.Keys));
    }
}
