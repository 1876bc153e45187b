using Cluster.Pile.Context;
using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Mapped.Intents;

namespace Cluster.Pile.Mapped;

/// <summary>Creates a mapped folder. The process may die at any point: a folder with the creation marker and without a
/// header is worthless, and the next attempt creates it again. Stateless.</summary>
internal static class FolderMaking
{
    /// <summary>The content of the creation marker. An empty file or any other content does not allow the folder to be
    /// created again.</summary>
    public static ReadOnlySpan<byte> Mark => "The folder is just being made.\n"u8;

    /// <summary>Creates the folder when it is new or half created; refuses a folder that has lost its header. A folder
    /// with a header is complete even if the marker is there, because the header is written last.</summary>
    public static void MakeWhenNew(MappedFiles files, PileOptions options)
    {
        if (!File.Exists(files.Header))
        {
            CheckNothingIsLost(files);
            try
            {
                CheckedFile.Replace(files.Making, Mark);
                Make(files, new BlockLayout(options.BudgetBytes), options);
            }
            catch (ArgumentOutOfRangeException e)
            {
                // The runtime throws this exception for a limit on the size of files.
                throw new IOException("A file would be larger than the system allows.", e);
            }
        }

        File.Delete(files.Making);
    }

    /// <summary>Creates the file of the tables with this number; all blocks are vacant, and the file has its disk
    /// space.</summary>
    public static void MakeTables(MappedFiles files, uint number, BlockLayout layout)
    {
        MakeWhole(files.Tables(number), MappedSource.TablesBytes(layout));
        using var file = File.OpenHandle(files.Tables(number), FileMode.Open, FileAccess.Write);
        TableRows.WriteUnused(file, layout);
    }

    private static void CheckNothingIsLost(MappedFiles files)
    {
        if (!File.Exists(files.Blocks) && !File.Exists(files.State))
            return;
        if (!File.Exists(files.Making))
            throw CheckedFile.Damaged(files.Header, "it is not there, and other files of the folder are.");
        if (!File.ReadAllBytes(files.Making).AsSpan().SequenceEqual(Mark))
        {
            throw CheckedFile.Damaged(
                files.Making,
                $"{files.Header} is not there, and this file does not say what it says while a folder is made.");
        }
    }

    private static void Make(MappedFiles files, BlockLayout layout, PileOptions options)
    {
        files.DeleteOtherTables(0);
        MakeTables(files, 1, layout);
        using (var blocks = PrivateFiles.CreateNew(files.Blocks))
            blocks.SetLength(MappedSource.BlocksBytes(layout));
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
        CheckedFile.Replace(files.State, state.Encode());
        var origin = PileOrigin.New(options.GenerationFirst);
        CheckedFile.Replace(files.Header, MappedHeader.Of(origin, layout.BudgetBytes).Encode());
    }

    private static void MakeWhole(string path, long bytes, ulong firstWord = 0)
    {
        using var stream = PrivateFiles.CreateNew(path, FileAccess.ReadWrite);
        var file = stream.SafeFileHandle;
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
