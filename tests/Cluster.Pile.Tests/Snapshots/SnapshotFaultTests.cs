using Cluster.Pile.Cells;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Whatever the device does at whichever access, there is always a whole snapshot.</summary>
public sealed class SnapshotFaultTests(ITestOutputHelper output)
{
    private const int CellCount = 100;

    [Theory]
    [InlineData((int)DeviceFault.Error)]
    [InlineData((int)DeviceFault.FullHalfWay)]
    [InlineData((int)DeviceFault.SilentlyShort)]
    [InlineData((int)DeviceFault.ErrorAfter)]
    [Trait("Case", "pile-30")]
    public async Task Save_WhenAnyAccessFails_SaysSoOnce_AndTheOldSnapshotIsValid(int fault)
    {
        using var original = new SnapshotDirectory();
        var old = await FillAsync(original);
        var (index, failed) = (0, 0);
        for (; ; index++)
        {
            using var folder = original.Copy();
            var files = new FaultyFiles((DeviceFault)fault, index);
            using var saved = await RestoreAsync(folder.Path, files, isCounted: false);
            var added = saved.Put(Piles.Payload(3, 40));
            CellTable.GetOrCreate(saved, "cells").Save(CellCount, 1, "added"u8);

            var isWhole = await TrySaveAsync(saved, folder.Path);
            var hasFailed = files.HasFailed;
            failed += isWhole ? 0 : 1;

            using var restored = await RestoreWholeAsync(folder, isLying: fault == (int)DeviceFault.SilentlyShort);
            Assert.Equal(Piles.Payload(1, 40), restored.GetBytes(old));
            Assert.Equal(
                CellCount + (restored.IsLive(added) ? 1 : 0),
                CellTable.GetOrCreate(restored, "cells").EnumerateIds().Count());
            if (isWhole && fault != (int)DeviceFault.SilentlyShort)
                Assert.True(restored.IsLive(added));
            if (!hasFailed)
                break;

            // The device is well again.
            await saved.SaveAsync(folder.Path);
            using var after = await folder.RestoreAsync(SnapshotDirectory.Options(16 * Piles.MiB));
            Assert.Equal(Piles.Payload(3, 40), after.GetBytes(added));
            Assert.True(CellTable.GetOrCreate(after, "cells").TryLoad(CellCount, out var cell, out _));
            Assert.Equal("added"u8, cell);
            Assert.Equal(4, folder.Names.Length);
        }

        output.WriteLine($"{index} accesses, {failed} of them made the save fail");
        Assert.InRange(failed, 5, index);
    }

    [Fact]
    [Trait("Case", "pile-30")]
    public async Task Restore_WhenAnyReadFails_SaysWhichFile_AndWorksAfterwards()
    {
        using var folder = new SnapshotDirectory();
        using var pile = Piles.Create(16 * Piles.MiB);
        var pointer = pile.Put(Piles.Payload(1, 40));
        CellTable.GetOrCreate(pile, "cells").Save(1, 1, "cell"u8);
        await pile.SaveAsync(folder.Path);
        var count = new FaultyFiles(DeviceFault.Error, int.MaxValue);
        using (await RestoreAsync(folder.Path, count))
        {
            for (var index = 0; index < count.Count; index++)
            {
                var failure = await Assert.ThrowsAsync<PileSnapshotException>(
                    () => RestoreAsync(folder.Path, new FaultyFiles(DeviceFault.Error, index)));
                Assert.Equal(PileSnapshotProblem.Device, failure.Problem);
                Assert.NotNull(failure.File);
                Assert.IsType<IOException>(failure.InnerException);
            }
        }

        using var restored = await folder.RestoreAsync();
        Assert.True(restored.IsLive(pointer));
        Assert.True(CellTable.GetOrCreate(restored, "cells").Contains(1));
    }

    // Two snapshots; the pointer of an object in them.
    private static async Task<PilePointer> FillAsync(SnapshotDirectory folder)
    {
        using var pile = Piles.Create(16 * Piles.MiB);
        var old = pile.Put(Piles.Payload(1, 40));
        for (var i = 0; i < 4; i++)
            pile.Put(Piles.Payload(2, 60_000));
        var cells = CellTable.GetOrCreate(pile, "cells");
        for (var i = 0; i < CellCount; i++)
            cells.Save(i, 1, Piles.Payload(4, 500));
        await pile.SaveAsync(folder.Path);
        await pile.SaveAsync(folder.Path);
        return old;
    }

    // What a device has lost and not told is found by the restore, which offers the older snapshot.
    private static async Task<LocalPile> RestoreWholeAsync(SnapshotDirectory folder, bool isLying)
    {
        var options = SnapshotDirectory.Options(16 * Piles.MiB);
        try
        {
            return await folder.RestoreAsync(options);
        }
        catch (PileSnapshotException e) when (isLying && e.GoodGeneration is not null)
        {
            return await folder.RestoreAsync(options, e.GoodGeneration);
        }
    }

    // One failure is one exception, and the counter of the meter says one.
    private static async Task<bool> TrySaveAsync(LocalPile pile, string path)
    {
        try
        {
            await pile.SaveAsync(path);
            Assert.Equal(0, pile.Context.Snapshots.Failures);
            return true;
        }
        catch (PileSnapshotException e)
        {
            Assert.Equal(PileSnapshotProblem.Device, e.Problem);
            Assert.Equal(1, pile.Context.Snapshots.Failures);
            return false;
        }
    }

    // The files of the options are those of the pile for its later saves.
    private static async Task<LocalPile> RestoreAsync(string path, FaultyFiles files, bool isCounted = true)
    {
        var options = SnapshotDirectory.Options(16 * Piles.MiB);
        options.Files = isCounted ? files : new LateFiles(files);
        var pile = await LocalPile.RestoreAsync(path, options);
        (options.Files as LateFiles)?.Begin();
        return pile;
    }
}
