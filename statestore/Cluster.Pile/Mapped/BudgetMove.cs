using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Mapped;

/// <summary>Changes the budget of a folder. Blocks keep their places, because pointers name them. The table rows go to
/// a new file with as many rows as the new budget allows; the header that names this file is written last.
/// Stateless.</summary>
internal static class BudgetMove
{
    /// <summary>Returns the header for the new budget. Throws, and changes nothing, when a block that the new budget
    /// does not have is in use.</summary>
    public static MappedHeader Run(MappedFiles files, MappedHeader header, long budgetBytes)
    {
        var (old, next) = (new BlockLayout(header.BudgetBytes), new BlockLayout(budgetBytes));
        CheckSize(files.Tables(header.TablesNumber), MappedSource.TablesBytes(old));
        CheckSize(files.Blocks, MappedSource.BlocksBytes(old));
        if (header.BudgetBytes != budgetBytes)
            header = Move(files, header, old, next);
        using var blocks = OpenBlocks(files);
        RandomAccess.SetLength(blocks, MappedSource.BlocksBytes(next));
        files.DeleteOtherTables(header.TablesNumber);
        return header;
    }

    private static MappedHeader Move(MappedFiles files, MappedHeader header, BlockLayout old, BlockLayout next)
    {
        var rows = File.ReadAllBytes(files.Tables(header.TablesNumber));
        var counter = header.CounterFirst;
        long last = 0;
        for (long block = 1; block <= old.BlockCount; block++)
        {
            var entry = new SlabEntry(WordAt(rows, old, old.EntriesOffset + (block * BlockLayout.EntryBytes)));
            var descriptor = old.DescriptorsOffset + (block * BlockLayout.DescriptorBytes);
            var highWater = (uint)WordAt(rows, old, descriptor);
            var check = (uint)WordAt(rows, old, descriptor + SlabTable.ChecksAt);
            if (check != RowCheck.Of(block, entry, highWater) && check != RowCheck.Changing(block))
                throw TableRows.Damaged(files.Tables(header.TablesNumber), block);

            // Index pages do not count: an attach builds indexes anew.
            if (entry.State != SlabState.Vacant && entry.Class != SizeClasses.PageIndex)
                last = block;
            if (block > next.BlockCount)
                counter = Math.Max(counter, highWater);
        }

        if (last > next.BlockCount)
            throw TooSmall(files, last, next);
        var number = header.TablesNumber + 1;
        FolderMaking.MakeTables(files, number, next);
        WriteRows(files.Tables(number), rows, old, next);

        // Blocks that the pile gives up now and gets back later must not begin with counters that existing pointers
        // carry.
        header = header with
        {
            BudgetBytes = next.BudgetBytes,
            TablesNumber = number,
            CounterFirst = Math.Min(counter, GenerationMask.CounterMax),
        };
        CheckedFile.Replace(files.Header, header.Encode());
        return header;
    }

    private static void WriteRows(string path, byte[] rows, BlockLayout old, BlockLayout next)
    {
        using var file = File.OpenHandle(path, FileMode.Open, FileAccess.Write);
        var count = Math.Min(old.BlockCount, next.BlockCount) + 1;
        Copy(old.EntriesOffset, next.EntriesOffset, BlockLayout.EntryBytes);
        Copy(old.DescriptorsOffset, next.DescriptorsOffset, BlockLayout.DescriptorBytes);
        Copy(old.BitmapsOffset, next.BitmapsOffset, BlockLayout.BitmapBytes);
        RandomAccess.FlushToDisk(file);

        void Copy(long from, long to, int rowBytes)
        {
            var part = rows.AsSpan((int)(from - MappedSource.TablesOffset(old)), checked((int)(count * rowBytes)));
            RandomAccess.Write(file, part, to - MappedSource.TablesOffset(next));
        }
    }

    // A longer file is valid: a process died before it cut the file.
    private static void CheckSize(string path, long bytes)
    {
        var found = File.Exists(path) ? new FileInfo(path).Length : 0;
        if (found < bytes)
            throw CheckedFile.Damaged(path, $"it must have {bytes:N0} bytes and has {found:N0}.");
    }

    private static ulong WordAt(byte[] rows, BlockLayout layout, long offset) =>
        BitConverter.ToUInt64(rows, (int)(offset - MappedSource.TablesOffset(layout)));

    private static SafeFileHandle OpenBlocks(MappedFiles files) =>
        File.OpenHandle(files.Blocks, FileMode.Open, FileAccess.ReadWrite);

    private static PileFolderException TooSmall(MappedFiles files, long block, BlockLayout next)
    {
        // The space for this many blocks and their rows, and one row for block 0, which does not exist.
        var needed = (block + 1) * (BlockLayout.BlockBytes + BlockLayout.BookkeepingBytesPerBlock);
        return new PileFolderException(
            files.Folder,
            $"the budget of {next.BudgetBytes:N0} bytes has {next.BlockCount:N0} blocks, and block {block:N0} is "
            + "in use. "
            + $"Objects never move, so {nameof(PileOptions)}.{nameof(PileOptions.BudgetBytes)} must be {needed:N0} or "
            + "more; or attach with the old budget and delete what lies behind.");
    }
}
