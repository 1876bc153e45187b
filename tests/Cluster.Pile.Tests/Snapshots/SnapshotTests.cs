using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>What is saved comes back, and nothing else; pointers stay what they were.</summary>
public sealed class SnapshotTests(ITestOutputHelper output)
{
    [Fact]
    public async Task Restore_OfObjectsOfAllKinds_GivesThemBehindTheirPointers()
    {
        using var folder = new SnapshotDirectory();
        using var pile = Piles.Create();
        var bytes = pile.Put(Piles.Payload(1, 40));
        var text = pile.Put("text");
        var wide = pile.Put("t\u20ACxt");
        var linked = pile.Put(Piles.Payload(2, 40));
        pile.Put(linked, Piles.Payload(3, 4000));
        var large = pile.Put(Piles.Payload(4, 1_000_000));
        var graph = pile.Put(new Node("first", new Node("second", null)));
        var gone = pile.Put(Piles.Payload(5, 40));
        pile.Delete(gone);
        await pile.SaveAsync(folder.Path);
        var later = pile.Put(Piles.Payload(6, 40));
        pile.Put(bytes, Piles.Payload(7, 40));

        using var restored = await folder.RestoreAsync();

        Assert.Equal(Piles.Payload(1, 40), restored.GetBytes(bytes));
        Assert.Equal("text", restored.GetString(text));
        Assert.Equal("t\u20ACxt", restored.GetString(wide));
        Assert.Equal(Piles.Payload(3, 4000), restored.GetBytes(linked));
        Assert.Equal(Piles.Payload(4, 1_000_000), restored.GetBytes(large));
        Assert.Equal(new Node("first", new Node("second", null)), restored.Get<Node>(graph));
        Assert.False(restored.IsLive(gone));
        Assert.False(restored.IsLive(later));
        Assert.Equal(6, restored.GetStatistics().Objects);
        PileValidator.Check(restored);
        Assert.Equal(restored.Get<Node>(restored.Put(new Node("third", null))), new Node("third", null));
    }

    [Fact]
    public async Task Restore_OfARestoredPile_WorksAgainAndAgain()
    {
        using var folder = new SnapshotDirectory();
        var pile = Piles.Create();
        var model = new Dictionary<PilePointer, byte[]>();
        for (var round = 0; round < 5; round++)
        {
            for (var i = 0; i < 500; i++)
            {
                var value = Piles.Payload((ulong)((round * 500) + i), 1 + (i * 7));
                model[pile.Put(value)] = value;
            }

            foreach (var pointer in model.Keys.Where((_, index) => index % 3 == 0).ToList())
            {
                Assert.True(pile.Delete(pointer));
                model.Remove(pointer);
            }

            await pile.SaveAsync(folder.Path);
            pile.Dispose();
            pile = await folder.RestoreAsync();
            Assert.True(PileValidator.Check(pile).SetEquals(model.Keys));
            Assert.All(model, entry => Assert.Equal(entry.Value, pile.GetBytes(entry.Key)));
        }

        pile.Dispose();
    }

    [Fact]
    public async Task Save_OfAnEmptyPile_RestoresAnEmptyPile()
    {
        using var folder = new SnapshotDirectory();
        using var pile = Piles.Create();
        await pile.SaveAsync(folder.Path);
        using var restored = await folder.RestoreAsync();
        Piles.CheckEmpty(restored);
        restored.Put(Piles.Payload(1, 40));
        PileValidator.Check(restored);
    }

    [Fact]
    public async Task Save_Again_KeepsTwoGenerations_EitherOfWhichCanBeRestored()
    {
        using var folder = new SnapshotDirectory();
        using var pile = Piles.Create();
        var pointers = new List<PilePointer>();
        for (var i = 0; i < 4; i++)
        {
            pointers.Add(pile.Put(Piles.Payload((ulong)i, 40)));
            await pile.SaveAsync(folder.Path);
        }

        Assert.Equal(
            ["snapshot-0000000003.blocks", "snapshot-0000000003.manifest", "snapshot-0000000004.blocks",
                "snapshot-0000000004.manifest"],
            folder.Names);
        using var newest = await folder.RestoreAsync();
        using var older = await folder.RestoreAsync(generation: 3);
        Assert.Equal(4, newest.GetStatistics().Objects);
        Assert.Equal(3, older.GetStatistics().Objects);
        var missing = await Assert.ThrowsAsync<PileSnapshotException>(() => folder.RestoreAsync(generation: 2));
        Assert.Equal(PileSnapshotProblem.Missing, missing.Problem);
    }

    [Fact]
    public async Task Restore_WhenSlotsWereReusedAfterTheSnapshot_RefusesTheirPointers()
    {
        using var folder = new SnapshotDirectory();
        using var pile = Piles.Create();
        var kept = pile.Put(Piles.Payload(1, 40));
        pile.Delete(pile.Put(Piles.Payload(2, 400_000)));
        await pile.SaveAsync(folder.Path);
        var unknown = new HashSet<PilePointer>();
        pile.Delete(kept);
        for (var i = 0; i < 2000; i++)
        {
            var pointer = pile.Put(Piles.Payload(3, i % 5 == 0 ? 400_000 : i % 5 * 100));
            unknown.Add(pointer);
            pile.Delete(pointer);
        }

        using var restored = await folder.RestoreAsync();
        Assert.True(restored.Delete(kept));
        for (var i = 0; i < 4000; i++)
        {
            var pointer = restored.Put(Piles.Payload(3, i % 5 == 0 ? 400_000 : i % 5 * 100));
            Assert.DoesNotContain(pointer, unknown);
            restored.Delete(pointer);
        }

        Assert.All(unknown, pointer => Assert.Throws<InvalidPilePointerException>(() => restored.SizeOf(pointer)));
    }

    [Fact]
    public async Task Restore_AfterTime_HasCountedTimesToLiveOn()
    {
        using var folder = new SnapshotDirectory();
        var clock = new ManualTimeProvider();
        using var pile = new LocalPile(Piles.Options(clock, TimeSpan.Zero));
        var brief = pile.Put(Piles.Payload(1, 40), new PutHints { TimeToLive = TimeSpan.FromMinutes(1) });
        var later = pile.Put(Piles.Payload(2, 40), new PutHints { TimeToLive = TimeSpan.FromDays(300) });
        await pile.SaveAsync(folder.Path);
        clock.Advance(TimeSpan.FromMinutes(2));
        using var restored = await folder.RestoreAsync(Piles.Options(clock, TimeSpan.Zero));
        clock.Advance(TimeSpan.FromDays(250));
        using var muchLater = await folder.RestoreAsync(Piles.Options(clock, TimeSpan.Zero));

        Assert.False(restored.IsLive(brief));
        Assert.False(muchLater.IsLive(brief));
        Assert.True(muchLater.IsLive(later));
        clock.Advance(TimeSpan.FromDays(51));
        Assert.False(muchLater.IsLive(later));
        Assert.False(restored.IsLive(later));
    }

    [Fact]
    public async Task Piled_InARestoredPile_NamesItsObject()
    {
        using var folder = new SnapshotDirectory();
        var pile = Piles.Create();
        var handle = new Piled<string>(pile, pile.Put("named"));
        await pile.SaveAsync(folder.Path);
        pile.Dispose();
        Assert.Throws<InvalidPilePointerException>(() => handle.Get());
        using var restored = await folder.RestoreAsync();
        Assert.Equal("named", handle.Get());
    }

    [Fact]
    [Trait("Case", "pile-32")]
    public async Task Restore_IntoAnotherBudget_WorksWhenItHoldsWhatIsThere_ElseNamesBoth()
    {
        using var folder = new SnapshotDirectory();
        using var pile = Piles.Create(256 * Piles.MiB);
        var pointers = Enumerable.Range(0, 30).Select(i => pile.Put(Piles.Payload((ulong)i, 500_000))).ToList();
        foreach (var pointer in pointers.Skip(10))
            pile.Delete(pointer);
        await pile.SaveAsync(folder.Path);

        using var smaller = await folder.RestoreAsync(SnapshotDirectory.Options(16 * Piles.MiB));
        using var larger = await folder.RestoreAsync(SnapshotDirectory.Options(512 * Piles.MiB));
        var refused = await Assert.ThrowsAsync<PileSnapshotException>(
            () => folder.RestoreAsync(SnapshotDirectory.Options(4 * Piles.MiB)));

        foreach (var restored in (LocalPile[])[smaller, larger])
        {
            Assert.All(Enumerable.Range(0, 10), i => Assert.Equal(
                Piles.Payload((ulong)i, 500_000), restored.GetBytes(pointers[i])));
            PileValidator.Check(restored);
        }

        Assert.Equal(PileSnapshotProblem.BudgetTooSmall, refused.Problem);
        Assert.Contains($"{4 * Piles.MiB:N0}", refused.Message, StringComparison.Ordinal);
        var used = pile.GetStatistics().LiveBytes;
        Assert.True(used > 4 * Piles.MiB);

        // Addresses above the smaller budget begin above all that they had once the budget grows again.
        using var shrunk = new SnapshotDirectory();
        await smaller.SaveAsync(shrunk.Path);
        using var grown = await shrunk.RestoreAsync(SnapshotDirectory.Options(256 * Piles.MiB));
        for (var i = 0; i < 60; i++)
            Assert.DoesNotContain(grown.Put(Piles.Payload(1, 500_000)), pointers);
    }

    [Fact]
    [Trait("Case", "pile-31")]
    public async Task Save_WhileObjectsChange_IsExactlyTheStateOfTheCut()
    {
        const int rounds = 6;
        for (var round = 0; round < rounds; round++)
        {
            using var folder = new SnapshotDirectory();
            using var pile = Piles.Create(128 * Piles.MiB);
            await SnapshotTraffic.CheckCutAsync(pile, folder, seed: Environment.ProcessId + round);
        }

        output.WriteLine($"{rounds} rounds, seed {Environment.ProcessId}");
    }

    [Fact]
    public async Task Save_WhenTheLogIsFull_FailsAndChangesGoOn()
    {
        using var folder = new SnapshotDirectory();
        using var pile = new LocalPile(new PileOptions
        {
            BudgetBytes = 64 * Piles.MiB,
            SnapshotLogBytes = 1,
            Files = new PausingFiles(out var pause),
        });
        var pointer = pile.Put(Piles.Payload(1, 40));
        for (var i = 0; i < 400; i++)
            pile.Put(Piles.Payload(2, 60_000));
        var saving = pile.SaveAsync(folder.Path);
        await pause.Reached;
        for (var i = 0; i < 400; i++)
            pile.Delete(pile.Put(Piles.Payload(2, 60_000)));
        foreach (var found in pile.Enumerate())
            pile.Put(found.Pointer, Piles.Payload(3, 40));
        pause.Continue();

        var failure = await Assert.ThrowsAsync<PileSnapshotException>(() => saving);
        Assert.Equal(PileSnapshotProblem.GivenUp, failure.Problem);
        Assert.Contains(nameof(PileOptions.SnapshotLogBytes), failure.Message, StringComparison.Ordinal);
        Assert.Equal(Piles.Payload(3, 40), pile.GetBytes(pointer));
        Assert.Equal(0, pile.GetStatistics().BufferBytes);
        await pile.SaveAsync(folder.Path);
        using var restored = await folder.RestoreAsync();
        Assert.Equal(Piles.Payload(3, 40), restored.GetBytes(pointer));
    }

    [Fact]
    public async Task Save_WhenDisposedOrCancelledMeanwhile_LeavesNoSnapshot()
    {
        using var folder = new SnapshotDirectory();
        foreach (var cancels in (bool[])[true, false])
        {
            using var stop = new CancellationTokenSource();
            var pile = new LocalPile(new PileOptions
            {
                BudgetBytes = 64 * Piles.MiB,
                Files = new PausingFiles(out var pause),
            });
            for (var i = 0; i < 400; i++)
                pile.Put(Piles.Payload(2, 60_000));
            var saving = pile.SaveAsync(folder.Path, stop.Token);
            await pause.Reached;
            if (cancels)
                await stop.CancelAsync();
            else
                pile.Dispose();
            pause.Continue();
            var failure = await Assert.ThrowsAnyAsync<Exception>(() => saving);
            Assert.True(cancels ? failure is OperationCanceledException : failure is ObjectDisposedException);
            Assert.DoesNotContain(folder.Names, name => name.EndsWith(".manifest", StringComparison.Ordinal));
            pile.Dispose();
        }
    }

    internal sealed record Node(string Name, Node? Next);
}
