namespace Cluster.Pile.Tables.Index;

/// <summary>A bucket of an index that one thread has locked for one hash. Mutable; owned by the method that locked it
/// and passed by reference; <see cref="RecordIndex.Unlock"/> ends its use.</summary>
internal ref struct LockedBucket(ulong hash, PageWord word, IndexPage page, BucketControl control)
{
    public uint Tag { get; } = IndexEntry.TagOf(hash);

    public int Home { get; } = IndexPage.HomeOf(hash);

    /// <summary>The directory entry through which the bucket was found.</summary>
    public PageWord Word { get; } = word;

    public IndexPage Page { get; } = page;

    /// <summary>The control that unlocking stores; its lock bit is clear.</summary>
    public BucketControl Control = control;

    public readonly long Line => Page.LineOf(Home);
}
