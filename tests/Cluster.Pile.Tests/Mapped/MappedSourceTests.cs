using Cluster.Pile.Layout;
using Cluster.Pile.Mapped;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>The memory in files, where the system refuses room for them.</summary>
public sealed class MappedSourceTests
{
    /// <summary>A closed file tells that somebody asked: it throws.</summary>
    [RequiresUnixFact]
    [Trait("Case", "repair-E")]
    public void Refusal_IsRemembered_UntilThePauseIsOver()
    {
        using var folder = new TestFolder();
        var layout = new BlockLayout(PileOptions.MinBudgetBytes);
        var (tablesPath, blocksPath) = (Path.Join(folder.FullName, "tables-1"), folder.Blocks);
        File.WriteAllBytes(tablesPath, new byte[MappedSource.TablesBytes(layout)]);
        File.WriteAllBytes(blocksPath, []);
        using var tables = File.OpenHandle(tablesPath, FileMode.Open, FileAccess.ReadWrite);
        using var blocks = File.OpenHandle(blocksPath);
        var time = new ManualTimeProvider();
        var source = new MappedSource(layout, tables, blocks, time);
        var first = source.Range.Address + (nint)layout.BlockOffset(1);
        Assert.False(source.TryCommit(first, BlockLayout.BlockBytes));
        Assert.True(source.IsRefused);
        blocks.Dispose();
        for (var attempt = 0; attempt < 100; attempt++)
            Assert.False(source.TryCommit(first, BlockLayout.BlockBytes));
        Assert.True(source.IsRefused);
        time.Advance(MappedSource.RefusalPause);
        Assert.Throws<ObjectDisposedException>(() => source.TryCommit(first, BlockLayout.BlockBytes));
        source.Release();
    }
}
