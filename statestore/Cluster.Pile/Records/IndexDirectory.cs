namespace Cluster.Pile.Records;

/// <summary>
/// Where the directory of an index is and how many bits of the tag it has. An immutable value behind a reference that
/// is replaced whole: a reader who finds the same reference afterwards knows that what it read was a directory.
/// </summary>
internal sealed class IndexDirectory
{
    public IndexDirectory(long head, long offset, int depth)
    {
        Head = head;
        Offset = offset;
        Depth = depth;
        Shift = IndexEntry.TagBits - depth;
    }

    /// <summary>The first block.</summary>
    public long Head { get; }

    public long Offset { get; }

    /// <summary>There are 2^depth entries.</summary>
    public int Depth { get; }

    /// <summary>By how many bits a tag is shifted to give the number of its entry.</summary>
    public int Shift { get; }
}
