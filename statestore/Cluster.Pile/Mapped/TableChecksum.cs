using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;
using Cluster.Slim.Hosting;

namespace Cluster.Pile.Mapped;

/// <summary>The checksum of the tables of a pile that was shut down cleanly. With it, the next process trusts the
/// tables without reading any slot. Stateless.</summary>
internal static class TableChecksum
{
    // Rows are hashed in parts of this size, so that each part fits a span.
    private const long RowsPerPart = 64 * 1024;

    /// <summary>The last block that was ever used; the rows behind it hold no information.</summary>
    public static long LastUsed(SlabTable table)
    {
        for (var block = table.BlockCount; block > 0; block--)
        {
            if (table.Entry(block).Word != 0 || table.HighWater(block) != 0)
                return block;
        }

        return 0;
    }

    /// <summary>The checksum of all rows up to a block.</summary>
    public static ulong Of(NativeWindow window, BlockLayout layout, long blockLast)
    {
        ulong checksum = 0;
        for (long first = 0; first <= blockLast; first += RowsPerPart)
        {
            var rows = Math.Min(RowsPerPart, blockLast + 1 - first);
            Add(layout.EntriesOffset, BlockLayout.EntryBytes);
            Add(layout.DescriptorsOffset, BlockLayout.DescriptorBytes);
            Add(layout.BitmapsOffset, BlockLayout.BitmapBytes);

            void Add(long table, int rowBytes) =>
                checksum = XxHash3.Hash(window.Span(table + (first * rowBytes), (int)(rows * rowBytes)), checksum);
        }

        return checksum;
    }
}
