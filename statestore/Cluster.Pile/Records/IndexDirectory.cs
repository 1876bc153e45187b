namespace Cluster.Pile.Records;

/// <summary>Where the directory of an index is and how many bits of the tag it has. An immutable value behind a
/// reference that is replaced whole: a reader who finds the same reference afterwards knows that what it read was a
/// directory.</summary>
internal sealed class IndexDirectory(long head, long offset, int depth)
{

    /// <summary>The first block.</summary>
    public long Head { get; } = head;

    public long Offset { get; } = offset;

    /// <summary>There are 2^depth entries.</summary>
    public int Depth { get; } = depth;

    /// <summary>By how many bits a tag is shifted to give the number of its entry.</summary>
    public int Shift { get; } = IndexEntry.TagBits - depth;
}
