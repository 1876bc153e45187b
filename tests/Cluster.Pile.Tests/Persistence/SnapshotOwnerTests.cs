using Cluster.Testing;

namespace Cluster.Pile.Tests.Persistence;

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

    /// <summary>The second save finds the first one's manifest although there was none when it began.</summary>
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
        var late = second.SaveAsync(folder.Path);
        await pause.Reached;
        await first.SaveAsync(folder.Path);
        pause.Continue();
        var refused = await Assert.ThrowsAsync<PileSnapshotException>(() => late);
        Assert.Equal(PileSnapshotProblem.Foreign, refused.Problem);
        first.Put("more");
        await first.SaveAsync(folder.Path);
        using var restored = await folder.RestoreAsync();
        Assert.Equal(2, restored.GetStatistics().Objects);
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
