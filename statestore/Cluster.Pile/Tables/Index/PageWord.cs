namespace Cluster.Pile.Tables.Index;

/// <summary>One entry of the directory of an index. An immutable value, read and written whole.</summary>
/// <remarks>
/// <code>
/// bits 40..44  depth   (5)  how many top bits of the tag all keys of the page share
/// bits  0..39  block  (40)  the block that is the page
/// </code>
/// </remarks>
internal readonly record struct PageWord(ulong Word)
{
    public const int DepthShift = 40;
    public const int DepthBits = 5;

    public const ulong BlockMask = (1UL << DepthShift) - 1;

    public PageWord(long block, int depth)
        : this((ulong)block | ((ulong)depth << DepthShift))
    {
    }

    public long Block => (long)(Word & BlockMask);

    public int Depth => (int)(Word >> DepthShift) & ((1 << DepthBits) - 1);
}
