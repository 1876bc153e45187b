namespace Cluster.Pile.Tables.Index;

/// <summary>The place of an index's directory and the number of tag bits that it uses. An immutable value behind a
/// reference that is replaced as a whole: a reader that finds the same reference after its read knows that it read a
/// valid directory.</summary>
internal sealed class IndexDirectory(long head, long offset, int depth)
{

    public long Head { get; } = head;

    public long Offset { get; } = offset;

    /// <summary>The directory has 2^depth entries.</summary>
    public int Depth { get; } = depth;

    /// <summary>A tag is shifted right by this many bits to give the number of its directory entry.</summary>
    public int Shift { get; } = IndexEntry.TagBits - depth;
}
