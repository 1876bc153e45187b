namespace Cluster.Pile.Layout;

/// <summary>Where things lie in the range of one pile: bookkeeping first, then the blocks. An immutable value computed
/// from the budget; the tables are in <c>docs/formats/pile-layout.md</c>.</summary>
/// <remarks>Blocks are counted from 1 and granules from the start of a block 0 that is never used, so granule 0 is
/// never a slot. The first block starts at a segment border of the address space, so that a segment is one huge
/// page.</remarks>
internal readonly record struct BlockLayout
{
    public const int BlockBytesShift = 16;
    public const int BlockBytes = 1 << BlockBytesShift;
    public const int GranulesPerBlockShift = BlockBytesShift - 3;
    public const int GranulesPerBlock = 1 << GranulesPerBlockShift;
    public const int BlocksPerSegment = 32;
    public const long SegmentBytes = (long)BlocksPerSegment * BlockBytes;
    public const int EntryBytes = 8;
    public const int DescriptorBytes = 32;

    /// <summary>One bit for every slot of the smallest size, 16 bytes.</summary>
    public const int BitmapBytes = BlockBytes / 16 / 8;

    public const int BookkeepingBytesPerBlock = EntryBytes + DescriptorBytes + BitmapBytes;

    public BlockLayout(long budgetBytes)
    {
        BudgetBytes = budgetBytes;
        BlockCount = (budgetBytes / (BlockBytes + BookkeepingBytesPerBlock)) - 1;
        var rows = BlockCount + 1;
        var bookkeeping = rows * BookkeepingBytesPerBlock;
        var isInBudget = bookkeeping + (BlockCount * BlockBytes) <= budgetBytes;
        Invariant.Holds(BlockCount > 0 && isInBudget, "The budget holds bookkeeping and blocks.");

        BlocksOffset = (bookkeeping + SegmentBytes - 1) / SegmentBytes * SegmentBytes;
        EntriesOffset = BlocksOffset - bookkeeping;
        DescriptorsOffset = EntriesOffset + (rows * EntryBytes);
        BitmapsOffset = DescriptorsOffset + (rows * DescriptorBytes);
        RangeBytes = BlocksOffset + (BlockCount * BlockBytes);
        OriginOffset = BlocksOffset - BlockBytes;
    }

    public long BudgetBytes { get; }

    /// <summary>Usable blocks, numbered from 1.</summary>
    public long BlockCount { get; }

    public long EntriesOffset { get; }

    public long DescriptorsOffset { get; }

    public long BitmapsOffset { get; }

    /// <summary>The offset of block 1.</summary>
    public long BlocksOffset { get; }

    /// <summary>The offset that granule 0 would have.</summary>
    public long OriginOffset { get; }

    public long RangeBytes { get; }

    public long BookkeepingBytes => BlocksOffset - EntriesOffset;

    /// <summary>The smallest budget with this many blocks.</summary>
    public static long BudgetFor(long blockCount) =>
        Math.Max(PileOptions.MinBudgetBytes, (blockCount + 1) * (BlockBytes + BookkeepingBytesPerBlock));

    /// <summary>The number of blocks for this many bytes.</summary>
    public static long BlocksFor(long bytes) => (bytes + BlockBytes - 1) >> BlockBytesShift;

    public long BlockOffset(long block) => OriginOffset + (block << BlockBytesShift);
}
