using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Persistence;

/// <summary>The checksums of blocks that nobody has changed since they were taken: part of the tables, and so of their
/// file. Whoever is about to change a block forgets its checksum first, so one that is there after the death of a
/// process holds. Owned by one pile; threads only forget.</summary>
internal sealed class BlockSums
{
    private readonly SlabTable _table;

    // Small enough to stay in the cache of the processor, where the tables may not.
    private readonly bool[] _isKnown;

    public BlockSums(SlabTable table)
    {
        _table = table;
        _isKnown = new bool[table.BlockCount + 1];
        for (long block = 1; block <= table.BlockCount; block++)
            _isKnown[block] = table.Sum(block) != 0;
    }

    /// <summary>The blocks with a checksum.</summary>
    public IReadOnlyList<long> Known() =>
        [.. Enumerable.Range(0, _isKnown.Length).Where(block => _isKnown[block]).Select(block => (long)block)];

    /// <summary>The checksum of the content of a block, never zero; another one in another place.</summary>
    public static uint Of(long block, ReadOnlySpan<byte> content)
    {
        var sum = Checksum.Of(BitConverter.GetBytes(block), content);
        return sum == 0 ? 1 : sum;
    }

    /// <summary>To be called before the first store into a block.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Forget(long block)
    {
        if (Volatile.Read(ref _isKnown[block]))
            ForgetKnown(block);
    }

    /// <summary>Takes the checksums of blocks anew whose content is known to be right, and that nobody changes
    /// now.</summary>
    public void Retake(IReadOnlyList<long> blocks, NativeWindow window, BlockLayout layout)
    {
        foreach (var block in blocks)
        {
            if (_isKnown[block] || !_table.Entry(block).IsKept)
                continue;
            Take(_table, window, layout, block);
            Volatile.Write(ref _isKnown[block], true);
        }
    }

    /// <summary>Takes the missing checksums of all blocks that hold something; nobody changes them any more.</summary>
    public static void TakeAll(SlabTable table, NativeWindow window, BlockLayout layout)
    {
        for (long block = 1; block <= table.BlockCount; block++)
        {
            if (!table.Entry(block).IsKept)
                table.SetSum(block, 0);
            else if (table.Sum(block) == 0)
                Take(table, window, layout, block);
        }
    }

    /// <summary>Forgets all of them.</summary>
    public static void DropAll(SlabTable table)
    {
        for (long block = 1; block <= table.BlockCount; block++)
            table.SetSum(block, 0);
    }

    // In the file first: another thread that sees that it is done goes on to change the block.
    private void ForgetKnown(long block)
    {
        _table.SetSum(block, 0);
        Volatile.Write(ref _isKnown[block], false);
    }

    private static void Take(SlabTable table, NativeWindow window, BlockLayout layout, long block) =>
        table.SetSum(block, Of(block, window.Span(layout.BlockOffset(block), BlockLayout.BlockBytes)));
}
