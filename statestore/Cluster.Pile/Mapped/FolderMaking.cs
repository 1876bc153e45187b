using Cluster.Pile.Memory;
using Cluster.Pile.Persistence;

namespace Cluster.Pile.Mapped;

/// <summary>
/// Makes a mapped folder. A process may die at any point: until the marker of the making is gone, the folder is worth
/// nothing and is made anew. Stateless.
/// </summary>
internal static class FolderMaking
{
    /// <summary>Makes the folder when it is new; refuses one that has lost its header.</summary>
    public static void MakeWhenNew(MappedFiles files, PileOptions options)
    {
        var isHalfMade = File.Exists(files.Making);
        if (!isHalfMade && File.Exists(files.Header))
            return;
        if (!isHalfMade && (File.Exists(files.Blocks) || File.Exists(files.State)))
            throw CheckedFile.Damaged(files.Header, "it is not there, and other files of the folder are.");
        File.WriteAllBytes(files.Making, []);
        Make(files, new BlockLayout(options.BudgetBytes), options);
        File.Delete(files.Making);
    }

    /// <summary>Makes the file of tables of a number, all vacant; its place is on the disk.</summary>
    public static void MakeTables(MappedFiles files, uint number, BlockLayout layout)
    {
        MakeWhole(files.Tables(number), MappedSource.TablesBytes(layout));
        using var file = File.OpenHandle(files.Tables(number), FileMode.Open, FileAccess.Write);
        TableRows.WriteUnused(file, layout);
    }

    private static void Make(MappedFiles files, BlockLayout layout, PileOptions options)
    {
        File.Delete(files.Header);
        files.DeleteOtherTables(0);
        MakeTables(files, 1, layout);
        using (var blocks = File.OpenHandle(files.Blocks, FileMode.Create, FileAccess.Write))
            RandomAccess.SetLength(blocks, MappedSource.BlocksBytes(layout));
        MakeWhole(files.Intents, UpdateIntents.FileBytes, UpdateIntents.Magic);
        TypeLog.Create(files.Types);
        CatalogFile.Create(files.Catalog);
        var now = options.TimeProvider.GetUtcNow().UtcTicks;
        var state = new MappedState
        {
            OriginTicks = now,
            ElapsedTicks = 0,
            MomentTicks = now,
            Boot = MachineBoot.Now(),
        };
        MappedFiles.Replace(files.State, state.Encode());
        var origin = PileOrigin.New(options.GenerationFirst);
        MappedFiles.Replace(files.Header, MappedHeader.Of(origin, layout.BudgetBytes).Encode());
    }

    private static void MakeWhole(string path, long bytes, ulong firstWord = 0)
    {
        using var file = File.OpenHandle(path, FileMode.Create, FileAccess.ReadWrite);
        RandomAccess.SetLength(file, bytes);
        if (!FileSpace.TryMake(file, 0, bytes))
        {
            throw new PileFolderException(
                path, $"the disk has no room for {bytes:N0} bytes of bookkeeping. Free some, or lower "
                    + $"{nameof(PileOptions)}.{nameof(PileOptions.BudgetBytes)}.");
        }

        RandomAccess.Write(file, BitConverter.GetBytes(firstWord), 0);
    }
}
