using System.Buffers.Binary;
using Cluster.Pile.Memory;
using Cluster.Pile.Records;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Mapped;

/// <summary>
/// After a death nothing vouches for the tables, and entries that have become zero say that their blocks were never
/// used: everything in them would be gone without a word. Their descriptors and what the file has there say otherwise.
/// Stateless.
/// </summary>
/// <remarks>
/// A descriptor counts before there is an entry only while a run or a segment is being made, and then the block begins
/// with a free header, with zero or with what an unmade segment begins with. Such a count is cleared, because buffers
/// may use the block without an entry.
/// </remarks>
internal static class LostEntries
{
    /// <summary>Throws when a block is in use and its entry says that it never was.</summary>
    public static void Check(SlabTable table, MappedFiles files, uint tablesNumber)
    {
        using var blocks = File.OpenHandle(files.Blocks, share: FileShare.ReadWrite);
        Span<byte> word = stackalloc byte[sizeof(ulong)];
        for (long block = 1; block <= table.BlockCount; block++)
        {
            if (table.Entry(block).Word != 0 || table.Count(block) == 0)
                continue;
            RandomAccess.Read(blocks, word, (block - 1) * BlockLayout.BlockBytes);
            var first = new SlotHeader(BinaryPrimitives.ReadUInt64LittleEndian(word));
            var isHalfMade = first.State == SlotState.Free || first.Word == SegmentHeader.Unmade;
            if (!isHalfMade && !IsTail(table, block))
            {
                throw CheckedFile.Damaged(
                    files.Tables(tablesNumber),
                    $"the entry of block {block:N0} says that it was never used, and something lies in it.");
            }
        }

        Clear(table);
    }

    // The descriptors of a segment's blocks count where it begins.
    private static bool IsTail(SlabTable table, long block)
    {
        var head = table.Count(block);
        return head < block && head > 0 && table.Entry(head).Word == 0 && head + table.Count(head) > block;
    }

    private static void Clear(SlabTable table)
    {
        for (long block = 1; block <= table.BlockCount; block++)
        {
            if (table.Entry(block).Word == 0 && table.Count(block) != 0)
                table.SetCount(block, 0);
        }
    }
}
