using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Barriers;

/// <summary>The checksums of blocks that did not change since the checksum was taken; they lie in the tables, and so in
/// the file of the tables. A thread forgets the checksum before it changes a block, so a checksum that exists after the
/// death of a process is right. Owned by one pile; threads only forget checksums.</summary>
internal sealed class BlockSums
{
    private readonly SlabTable _table;

    // This array is small enough for the processor's cache; the tables may not be.
    private readonly bool[] _isKnown;

    public BlockSums(SlabTable table)
    {
        _table = table;
        _isKnown = new bool[table.BlockCount + 1];
        for (long block = 1; block <= table.BlockCount; block++)
            _isKnown[block] = table.Sum(block) != 0;
    }

    public IReadOnlyList<long> Known() =>
        [.. Enumerable.Range(0, _isKnown.Length).Where(block => _isKnown[block]).Select(block => (long)block)];

    /// <summary>The checksum of a block's content, never zero. The block number is part of it, so the same content in
    /// another block has another checksum.</summary>
    public static uint Of(long block, ReadOnlySpan<byte> content)
    {
        var sum = Checksum.Of(BitConverter.GetBytes(block), content);
        return sum == 0 ? 1 : sum;
    }

    /// <summary>The write barrier calls this before the first store into a block.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Forget(long block)
    {
        if (Volatile.Read(ref _isKnown[block]))
            ForgetKnown(block);
    }

    /// <summary>Takes the checksums of these blocks again. Their content is known to be right, and no thread changes it
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

    /// <summary>Takes the missing checksums of all blocks in use. No thread changes the blocks any more.</summary>
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

    public static void DropAll(SlabTable table)
    {
        for (long block = 1; block <= table.BlockCount; block++)
            table.SetSum(block, 0);
    }

    // The file is changed first: another thread that sees the flag cleared goes on to change the block.
    private void ForgetKnown(long block)
    {
        _table.SetSum(block, 0);
        Volatile.Write(ref _isKnown[block], false);
    }

    private static void Take(SlabTable table, NativeWindow window, BlockLayout layout, long block) =>
        table.SetSum(block, Of(block, window.Span(layout.BlockOffset(block), BlockLayout.BlockBytes)));
}
