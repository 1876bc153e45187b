using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Mapped;

/// <summary>The rows of the tables in their file, each of which vouches for itself: also those of blocks that were
/// never used, so that a page of zeros is never taken for a page of such. Stateless.</summary>
internal static class TableRows
{
    // So many at a time.
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

    /// <summary>Throws, with the block, when a row is not what it was.</summary>
    public static void Check(SlabTable table, string path)
    {
        for (long block = 1; block <= table.BlockCount; block++)
        {
            if (!table.IsRowWhole(block))
                throw Damaged(path, block);
        }
    }

    /// <summary>What to throw for a row that something else than a pile has changed.</summary>
    public static PileFolderException Damaged(string path, long block) =>
        CheckedFile.Damaged(path, $"the entry or descriptor of block {block:N0} does not agree with its check.");

    /// <summary>Lets every row vouch for what it is now, also those in whose change a process died.</summary>
    public static void Settle(SlabTable table)
    {
        for (long block = 1; block <= table.BlockCount; block++)
            table.SettleRow(block);
    }
}
