namespace Cluster.Pile.Records;

/// <summary>
/// A bucket of an index that one thread has locked, on behalf of one hash. Mutable; owned by the method that locked it
/// and passed by reference; <see cref="RecordIndex.Unlock"/> ends it.
/// </summary>
internal ref struct LockedBucket
{
    public LockedBucket(ulong hash, PageWord word, IndexPage page, BucketControl control)
    {
        Tag = IndexEntry.TagOf(hash);
        Home = IndexPage.HomeOf(hash);
        Word = word;
        Page = page;
        Control = control;
    }

    public uint Tag { get; }

    public int Home { get; }

    /// <summary>What the directory said.</summary>
    public PageWord Word { get; }

    public IndexPage Page { get; }

    /// <summary>The control as it will be stored; unlocked in here.</summary>
    public BucketControl Control;

    public readonly long Line => Page.LineOf(Home);
}
