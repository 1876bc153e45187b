using Cluster.Testing;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>Piles in a folder, attached anew after a clean shutdown and after the death of the process. Runs alone: a
/// pile of another test may get the addresses of one that was disposed.</summary>
[Collection(nameof(RunsAlone))]
public sealed class MappedPileTests
{
    private const int Count = 20_000;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Reattached_HasEveryObject_UnderItsPointer(bool isClean)
    {
        using var folder = new TestFolder();
        var pile = folder.Attach();
        var pointers = Fill(pile);
        var before = pile.GetStatistics();
        using var left = isClean ? folder : folder.CopyAsIfKilled();
        if (isClean)
            pile.Dispose();
        using (var again = left.Attach())
        {
            CheckAll(again, pointers);
            var after = again.GetStatistics();
            Assert.Equal(
                (before.Objects, before.Links, before.LiveBytes, before.LargeObjects),
                (after.Objects, after.Links, after.LiveBytes, after.LargeObjects));
            PileValidator.Check(again);
            CheckGoesOn(again, pointers);
        }

        pile.Dispose();
    }

    [Fact]
    public void Reattached_ManyTimes_CleanAndNot_RefusesEveryStalePointer()
    {
        var seed = Environment.TickCount;
        var random = new Random(seed);
        var folder = new TestFolder();
        var live = new Dictionary<PilePointer, (ulong Seed, int Length)>();
        var stale = new List<PilePointer>();
        for (var round = 0; round < 8; round++)
        {
            using var pile = folder.Attach();
            foreach (var (pointer, (payload, _)) in live)
                Assert.True(Piles.IsPayload(pile.GetBytes(pointer), payload), $"seed {seed}");
            Assert.All(stale, pointer => Assert.False(pile.IsLive(pointer), $"seed {seed}"));
            Assert.Equal(live.Count, pile.GetStatistics().Objects);
            Mutate(pile, random, live, stale);
            if (round % 2 == 0)
                continue;
            var copy = folder.CopyAsIfKilled();
            pile.Dispose();
            folder.Dispose();
            folder = copy;
        }

        folder.Dispose();
    }

    [Fact]
    public void Purged_AndReattached_IsEmpty_AndOldPointersAreStale()
    {
        using var folder = new TestFolder();
        List<PilePointer> pointers;
        using (var pile = folder.Attach())
        {
            pointers = Fill(pile);
            pile.Purge();
        }

        using var again = folder.Attach();
        Piles.CheckEmpty(again);
        var younger = Fill(again);
        Assert.All(pointers, pointer => Assert.False(again.IsLive(pointer)));
        CheckAll(again, younger);
    }

    [Fact]
    public void Folder_ThatIsAttached_IsRefused_WithItsNameAndTheProcess()
    {
        using var folder = new TestFolder();
        using var pile = folder.Attach();
        var failure = Assert.Throws<PileFolderException>(() => folder.Attach());
        Assert.Contains(folder.FullName, failure.Message, StringComparison.Ordinal);
        Assert.Contains($"process {Environment.ProcessId},", failure.Message, StringComparison.Ordinal);
        Assert.Equal(folder.FullName, failure.Path);
    }

    [Fact]
    public void Deadlines_GoOn_WhileNobodyHasTheFolder()
    {
        var time = new ManualTimeProvider();
        using var folder = new TestFolder();
        PilePointer brief, longer;
        using (var pile = new LocalPile(folder.Options(time: time)))
        {
            brief = pile.Put("brief", new PutHints { TimeToLive = TimeSpan.FromMinutes(1) });
            longer = pile.Put("longer", new PutHints { TimeToLive = TimeSpan.FromHours(3) });
        }

        time.Advance(TimeSpan.FromHours(1));
        using (var pile = new LocalPile(folder.Options(time: time)))
        {
            Assert.False(pile.IsLive(brief));
            Assert.Equal("longer", pile.Get<string>(longer));
            time.Advance(TimeSpan.FromHours(1));
        }

        using var last = new LocalPile(folder.Options(time: time));
        Assert.True(last.IsLive(longer));
        time.Advance(TimeSpan.FromHours(1) - TimeSpan.FromSeconds(1));
        Assert.True(last.IsLive(longer));
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.False(last.IsLive(longer));
    }

    [Fact]
    public void Deadline_ThatPassedLongAgo_DoesNotComeBack()
    {
        var time = new ManualTimeProvider();
        using var folder = new TestFolder();
        PilePointer brief, forever;
        using (var pile = new LocalPile(folder.Options(time: time)))
        {
            brief = pile.Put("brief", new PutHints { TimeToLive = TimeSpan.FromMinutes(1) });
            forever = pile.Put("forever");
        }

        time.Advance(TimeSpan.FromDays(300));
        using var again = new LocalPile(folder.Options(time: time));
        Assert.False(again.IsLive(brief));
        Assert.True(again.IsLive(forever));
        PileValidator.Check(again);
    }

    [Fact]
    public void Piled_InAnotherPileOfTheFolder_FindsItsObject()
    {
        using var folder = new TestFolder();
        Piled<string> handle;
        using (var pile = folder.Attach())
            handle = new Piled<string>(pile, pile.Put("found"));
        Assert.Throws<InvalidPilePointerException>(() => handle.Get());
        using var again = folder.Attach();
        Assert.Equal("found", handle.Get());
    }

    [Fact]
    public void ViewLeftOpen_DoesNotPinTheObject_InTheNextProcess()
    {
        using var folder = new TestFolder();
        var options = folder.Options();
        options.ViewAbandoned = _ => { };
        var pile = new LocalPile(options);
        var pointer = pile.Put("viewed"u8);
        _ = pile.OpenView(pointer);
        pile.Dispose();
        using var again = folder.Attach();
        again.Put(pointer, "changed"u8);
        Assert.Equal("changed"u8.ToArray(), again.GetBytes(pointer));
    }

    [Fact]
    public void Memory_KeptPastDispose_ReadsZeroAndNeverFaults_AndTheFolderIsIntact()
    {
        using var folder = new TestFolder();
        var pile = folder.Attach();
        var pointers = Fill(pile);
        var (window, layout) = (pile.Window, pile.Layout);
        pile.Dispose();
        Assert.All(pointers, pointer => Assert.Equal(
            0UL, window.ReadWord(layout.OriginOffset + (pointer.Granule * PilePointer.GranuleBytes))));
        using var again = folder.Attach();
        CheckAll(again, pointers);
    }

    [Fact]
    public void Emptied_GivesItsPlaceOnTheDiskBack()
    {
        using var folder = new TestFolder();
        var options = folder.Options();
        options.ReserveBytes = 0;
        using var pile = new LocalPile(options);
        var pointers = Enumerable.Range(0, 24).Select(i => pile.Put(Piles.Payload((ulong)i, 1 << 20))).ToList();
        Assert.True(DiskBytes(folder) > 24 * Piles.MiB);
        Assert.All(pointers, pointer => Assert.True(pile.Delete(pointer)));
        pile.Compact();
        Assert.InRange(DiskBytes(folder), 0, 8 * Piles.MiB);
        pointers = [.. Enumerable.Range(0, 24).Select(i => pile.Put(Piles.Payload((ulong)i, 1 << 20)))];
        Assert.All(pointers, pointer => Assert.Equal(1 << 20, pile.SizeOf(pointer)));
    }

    private static long DiskBytes(TestFolder folder)
    {
        using var process = System.Diagnostics.Process.Start(
            new System.Diagnostics.ProcessStartInfo("du", ["--block-size=1", folder.Blocks])
            {
                RedirectStandardOutput = true,
            })!;
        return long.Parse(
            process.StandardOutput.ReadToEnd().Split('\t')[0], System.Globalization.CultureInfo.InvariantCulture);
    }

    // Small and large, with room to grow into a link, and some deleted again.
    private static List<PilePointer> Fill(LocalPile pile)
    {
        var pointers = new List<PilePointer>();
        for (var i = 0; i < Count; i++)
            pointers.Add(pile.Put(Piles.Payload((ulong)i, LengthOf(i))));
        for (var i = 0; i < Count; i += 10)
            pile.Put(pointers[i], Piles.Payload((ulong)i, LengthOf(i) + 500));
        for (var i = 5; i < Count; i += 10)
            Assert.True(pile.Delete(pointers[i]));
        return pointers;
    }

    private static int LengthOf(int i) => i == 77 ? 600_000 : i * 7 % 700;

    private static void CheckAll(LocalPile pile, List<PilePointer> pointers)
    {
        for (var i = 0; i < Count; i++)
        {
            if (i % 10 == 5)
                Assert.False(pile.IsLive(pointers[i]));
            else
                Assert.True(Piles.IsPayload(pile.GetBytes(pointers[i]), (ulong)i));
        }
    }

    private static void CheckGoesOn(LocalPile pile, List<PilePointer> pointers)
    {
        var more = Enumerable.Range(0, Count).Select(i => pile.Put(Piles.Payload((ulong)i, i % 300))).ToList();
        CheckAll(pile, pointers);
        Assert.All(more, pointer => Assert.True(pile.Delete(pointer)));
        for (var i = 0; i < Count; i++)
            Assert.Equal(i % 10 != 5, pile.Delete(pointers[i]));
        Piles.CheckEmpty(pile);
        PileValidator.Check(pile);
    }

    private static void Mutate(
        LocalPile pile,
        Random random,
        Dictionary<PilePointer, (ulong Seed, int Length)> live,
        List<PilePointer> stale)
    {
        for (var i = 0; i < 4000; i++)
        {
            var (seed, length) = ((ulong)random.NextInt64(), (int)Math.Pow(2, random.NextDouble() * 15));
            if (live.Count == 0 || random.Next(3) == 0)
            {
                live.Add(pile.Put(Piles.Payload(seed, length)), (seed, length));
                continue;
            }

            var victim = live.Keys.ElementAt(random.Next(Math.Min(live.Count, 50)));
            if (random.Next(2) == 0)
            {
                pile.Put(victim, Piles.Payload(seed, length));
                live[victim] = (seed, length);
                continue;
            }

            Assert.True(pile.Delete(victim));
            live.Remove(victim);
            stale.Add(victim);
        }
    }
}
