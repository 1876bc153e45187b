using Cluster.Testing;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>The snapshots of a folder are of one pile, and no save of another one deletes them.</summary>
[Trait("Case", "repair-C10")]
public sealed class SnapshotOwnerTests
{
    /// <summary>A program that starts empty after a failed restore must not lose its last good snapshot.</summary>
    [Fact]
    public async Task Save_IntoTheFolderOfAnotherPile_IsRefused_AndKeepsEverything()
    {
        using var folder = new SnapshotDirectory();
        PilePointer kept;
        using (var first = Piles.Create())
        {
            kept = first.Put("kept");
            await first.SaveAsync(folder.Path);
            await first.SaveAsync(folder.Path);
        }

        var names = folder.Names;
        using var second = Piles.Create();
        for (var attempt = 0; attempt < 3; attempt++)
        {
            var refused = await Assert.ThrowsAsync<PileSnapshotException>(() => second.SaveAsync(folder.Path));
            Assert.Equal(PileSnapshotProblem.Foreign, refused.Problem);
            Assert.Contains("Save into another folder", refused.Message, StringComparison.Ordinal);
            Assert.Contains($"{second.Identity:x16}", refused.Message, StringComparison.Ordinal);
        }

        Assert.Equal(names, folder.Names);
        using var restored = await folder.RestoreAsync();
        Assert.Equal("kept", restored.GetString(kept));
    }

    [Fact]
    public async Task SaveEvery_IntoTheFolderOfAnotherPile_TellsItAndDeletesNothing()
    {
        using var folder = new SnapshotDirectory();
        using (var first = Piles.Create())
            await first.SaveAsync(folder.Path);
        var names = folder.Names;
        var time = new ManualTimeProvider();
        using var second = new LocalPile(new PileOptions { BudgetBytes = 64 * Piles.MiB, TimeProvider = time });
        var told = new TaskCompletionSource<Exception>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var every = second.SaveEvery(folder.Path, TimeSpan.FromSeconds(1), e => told.TrySetResult(e));
        time.Advance(TimeSpan.FromSeconds(1));
        var failure = await told.Task.WaitAsync(TimeSpan.FromSeconds(30));
        Assert.Equal(PileSnapshotProblem.Foreign, Assert.IsType<PileSnapshotException>(failure).Problem);
        Assert.Equal(names, folder.Names);
    }

    /// <summary>A save that comes while another pile makes its first one is refused, and does it no harm.</summary>
    [Fact]
    public async Task FirstSaves_OfTwoPilesAtOnce_LeaveOneOfThem()
    {
        using var folder = new SnapshotDirectory();
        using var first = Piles.Create();
        first.Put("first");
        var options = SnapshotDirectory.Options();
        options.Files = new PausingFiles(out var pause);
        using var second = new LocalPile(options);
        second.Put("second");
        var slow = second.SaveAsync(folder.Path);
        await pause.Reached;
        var refused = await Assert.ThrowsAsync<PileSnapshotException>(() => first.SaveAsync(folder.Path));
        Assert.Equal(PileSnapshotProblem.Foreign, refused.Problem);
        pause.Continue();
        await slow;
        second.Put("more");
        await second.SaveAsync(folder.Path);
        using var restored = await folder.RestoreAsync();
        Assert.Equal(2, restored.GetStatistics().Objects);
    }

    /// <summary>However two first saves meet, one pile has the folder and its snapshot is whole.</summary>
    [Fact]
    public async Task FirstSaves_OfTwoPilesAtTheSameMoment_LeaveOneWholeSnapshot()
    {
        for (var round = 0; round < 20; round++)
        {
            using var folder = new SnapshotDirectory();
            LocalPile[] piles = [Piles.Create(), Piles.Create()];
            using var start = new Barrier(piles.Length);
            var saves = piles.Select(pile => Task.Run(async () =>
            {
                pile.Put("one");
                start.SignalAndWait();
                try
                {
                    await pile.SaveAsync(folder.Path);
                    return true;
                }
                catch (PileSnapshotException e) when (e.Problem == PileSnapshotProblem.Foreign)
                {
                    return false;
                }
            }));
            Assert.Single(await Task.WhenAll(saves), isSaved => isSaved);
            using (var restored = await folder.RestoreAsync())
                Assert.Equal(1, restored.GetStatistics().Objects);
            foreach (var pile in piles)
                pile.Dispose();
        }
    }

    [Fact]
    public async Task RestoredPile_GoesOnInItsFolder()
    {
        using var folder = new SnapshotDirectory();
        using (var first = Piles.Create())
            await first.SaveAsync(folder.Path);
        for (var life = 0; life < 3; life++)
        {
            using var next = await folder.RestoreAsync();
            next.Put("next");
            await next.SaveAsync(folder.Path);
            Assert.Equal(4, folder.Names.Length);
        }
    }

    /// <summary>Nobody knows of which pile a damaged manifest is, so it does not count and is not deleted.</summary>
    [Fact]
    public async Task DamagedManifest_StaysWithItsBlocks_AndCountsAsNoGeneration()
    {
        using var folder = new SnapshotDirectory();
        using var pile = Piles.Create();
        pile.Put("kept");
        await pile.SaveAsync(folder.Path);
        await pile.SaveAsync(folder.Path);
        var path = folder.File(2, ".manifest");
        var bytes = await File.ReadAllBytesAsync(path);
        bytes[50] ^= 4;
        await File.WriteAllBytesAsync(path, bytes);
        for (var save = 0; save < 3; save++)
            await pile.SaveAsync(folder.Path);
        Assert.Equal(
            [
                "snapshot-0000000002.blocks", "snapshot-0000000002.manifest",
                "snapshot-0000000004.blocks", "snapshot-0000000004.manifest",
                "snapshot-0000000005.blocks", "snapshot-0000000005.manifest",
            ],
            folder.Names);
    }
}
