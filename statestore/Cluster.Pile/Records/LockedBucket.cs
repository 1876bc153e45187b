namespace Cluster.Pile.Records;

/// <summary>A bucket of an index that one thread has locked, on behalf of one hash. Mutable; owned by the method that
/// locked it and passed by reference; <see cref="RecordIndex.Unlock"/> ends it.</summary>
internal ref struct LockedBucket(ulong hash, PageWord word, IndexPage page, BucketControl control)
{
    public uint Tag { get; } = IndexEntry.TagOf(hash);

    public int Home { get; } = IndexPage.HomeOf(hash);

    /// <summary>What the directory said.</summary>
    public PageWord Word { get; } = word;

    public IndexPage Page { get; } = page;

    /// <summary>The control as it will be stored; unlocked in here.</summary>
    public BucketControl Control = control;

    public readonly long Line => Page.LineOf(Home);
}
