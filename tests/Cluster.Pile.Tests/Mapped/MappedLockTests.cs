using Cluster.Pile.Layout;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>Headers in a mapped folder that say that somebody is at an object, and nobody is: no operation waits for
/// ever.</summary>
[Trait("Case", "repair-A8")]
public sealed class MappedLockTests
{
    private const long Budget = PileOptions.MinBudgetBytes;

    [Fact]
    public async Task LockOfNobody_UnderACheckOfTablesAlone_IsToldAsDamage_ByEveryOperation()
    {
        using var folder = Filled(SlotState.Busy, out var damaged, out var whole);
        using var pile = new LocalPile(OptionsOf(folder, PileFolderCheck.Tables));
        Action[] operations =
        [
            () => pile.GetString(damaged), () => pile.SizeOf(damaged), () => pile.Put(damaged, "new"),
            () => pile.Delete(damaged), () => pile.OpenView(damaged).Dispose(),
            () => pile.Put(damaged, new string('x', 5000)),
        ];

        // All at the same time, because each asks whether another one is at work.
        await Task.WhenAll(operations.Select(operation => Task.Run(() =>
        {
            var failure = Assert.Throws<PileFolderException>(operation);
            Assert.Contains("block 1,", failure.Message, StringComparison.Ordinal);
            Assert.Contains("nobody works on it", failure.Message, StringComparison.Ordinal);
        }))).WaitAsync(TimeSpan.FromMinutes(5));
        Assert.Equal(2, Count(pile));
        pile.Put(whole, "works");
        Assert.Equal("works", pile.GetString(whole));
    }

    /// <summary>After a clean shutdown nobody is at any object, so even a view is damage.</summary>
    [Theory]
    [InlineData((int)SlotState.Busy)]
    [InlineData((int)SlotState.Pinned)]
    [InlineData((int)SlotState.Shared)]
    public void LockOrViewOfNobody_InACleanFolder_IsRefused(int state)
    {
        using var folder = Filled((SlotState)state, out _, out _);
        var refused = Assert.Throws<PileFolderException>(
            () => new LocalPile(OptionsOf(folder, PileFolderCheck.Everything)));
        Assert.Contains("block 1,", refused.Message, StringComparison.Ordinal);
    }

    /// <summary>A lock of somebody lasts as long as it lasts.</summary>
    [Fact]
    public async Task LockOfAnotherThread_ThatLasts_IsWaitedFor()
    {
        using var folder = new TestFolder();
        using var pile = folder.Attach(Budget);
        var pointer = pile.Put("kept");
        var context = pile.Context;
        Assert.True(context.Space.TryResolve(pointer, out var place));
        var header = context.Space.Header(place);
        using var entered = new ManualResetEventSlim();
        using var leave = new ManualResetEventSlim();
        var holder = Task.Factory.StartNew(
            () =>
            {
                var cache = context.Registry.Enter();
                Assert.True(context.Space.TryLock(place, header));
                entered.Set();
                leave.Wait();
                context.Space.SetState(place, header, SlotState.Live);
                cache.Exit();
            },
            TaskCreationOptions.LongRunning);
        entered.Wait();
        var waiting = Task.Factory.StartNew(() => pile.Delete(pointer), TaskCreationOptions.LongRunning);
        Assert.False(SpinWait.SpinUntil(() => waiting.IsCompleted, TimeSpan.FromSeconds(1)));
        leave.Set();
        await holder;
        Assert.True(await waiting.WaitAsync(TimeSpan.FromMinutes(1)));
    }

    private static PileOptions OptionsOf(TestFolder folder, PileFolderCheck check)
    {
        var options = folder.Options(Budget);
        options.MappedFolderCheck = check;
        return options;
    }

    private static int Count(LocalPile pile)
    {
        var count = 0;
        foreach (var unused in pile.Enumerate())
            count++;
        return count;
    }

    private static TestFolder Filled(SlotState state, out PilePointer damaged, out PilePointer whole)
    {
        var folder = new TestFolder();
        using (var pile = folder.Attach(Budget))
        {
            damaged = pile.Put("damaged");
            whole = pile.Put("whole");
        }

        var at = (damaged.Granule - (1L << BlockLayout.GranulesPerBlockShift)) * PilePointer.GranuleBytes;
        using var file = new FileStream(folder.Blocks, FileMode.Open, FileAccess.ReadWrite);
        file.Position = at;
        var word = file.ReadByte();
        file.Position = at;
        file.WriteByte((byte)((word & ~7) | (int)state));
        return folder;
    }
}
