using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Mapped;

/// <summary>The rows of the tables in their file; each row has a check. Rows of blocks that were never used have one
/// too, so that a page of zeros is not taken for such rows. Stateless.</summary>
internal static class TableRows
{
    private const int RowsPerPart = 64 * 1024;

    /// <summary>Writes the descriptors of blocks that were never used.</summary>
    public static void WriteUnused(SafeFileHandle file, BlockLayout layout)
    {
        var part = new byte[(int)Math.Min(RowsPerPart, layout.BlockCount) * BlockLayout.DescriptorBytes];
        for (long first = 1; first <= layout.BlockCount; first += RowsPerPart)
        {
            var rows = (int)Math.Min(RowsPerPart, layout.BlockCount - first + 1);
            for (var row = 0; row < rows; row++)
            {
                var check = RowCheck.Of(first + row, default, highWater: 0);
                var at = (row * BlockLayout.DescriptorBytes) + SlabTable.ChecksAt;
                BinaryPrimitives.WriteUInt32LittleEndian(part.AsSpan(at), check);
            }

            var offset = layout.DescriptorsOffset + (first * BlockLayout.DescriptorBytes);
            var bytes = part.AsSpan(0, rows * BlockLayout.DescriptorBytes);
            RandomAccess.Write(file, bytes, offset - MappedSource.TablesOffset(layout));
        }
    }

    /// <summary>Throws, with the block, when the check of a row does not agree.</summary>
    public static void Check(SlabTable table, string path)
    {
        for (long block = 1; block <= table.BlockCount; block++)
        {
            if (!table.IsRowWhole(block))
                throw Damaged(path, block);
        }
    }

    /// <summary>The exception for a row that something other than a pile has changed.</summary>
    public static PileFolderException Damaged(string path, long block) =>
        CheckedFile.Damaged(path, $"the entry or descriptor of block {block:N0} does not agree with its check.");

    /// <summary>Sets the check of every row to its present content, also of rows that a process was changing when it
    /// died.</summary>
    public static void Settle(SlabTable table)
    {
        for (long block = 1; block <= table.BlockCount; block++)
            table.SettleRow(block);
    }
}
