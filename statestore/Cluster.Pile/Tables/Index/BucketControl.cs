namespace Cluster.Pile.Tables.Index;

/// <summary>The lower half of the first word of a bucket: its lock, and what readers must know about keys that belong
/// here. An immutable value; changed by compare-and-swap to lock, and by the holder of the lock. The upper half counts
/// the reads of the entries, two bits for each word of the bucket, and is stored to without any lock.</summary>
/// <remarks>
/// <code>
/// bits 13..31  version  (19)  rises with every change of a key that belongs to this bucket
/// bits  5..12  strays    (8)  entries that belong here and lie in later buckets; stays at 255 once there
/// bits  1..4   reach     (4)  how far behind this bucket they lie at most
/// bit   0      locked    (1)
/// </code>
/// </remarks>
internal readonly record struct BucketControl(uint Half)
{
    public const uint Locked = 1;
    public const int ReachShift = 1;
    public const int StraysShift = 5;
    public const int VersionShift = 13;
    public const int StraysMax = 255;

    private const uint ReachMask = (uint)IndexEntry.DistanceMax << ReachShift;
    private const uint StraysMask = (uint)StraysMax << StraysShift;

    public bool IsLocked => (Half & Locked) != 0;

    public int Reach => (int)(Half >> ReachShift) & IndexEntry.DistanceMax;

    public int Strays => (int)(Half >> StraysShift) & StraysMax;

    public uint Version => Half >> VersionShift;

    /// <summary>The control at the next version, unlocked.</summary>
    public BucketControl Changed() => new((Half + (1U << VersionShift)) & ~Locked);

    /// <summary>The control unlocked at the same version, for a bucket whose keys did not change.</summary>
    public BucketControl Unlocked() => new(Half & ~Locked);

    /// <summary>The control with one more stray: an entry that lies this many buckets behind its own.</summary>
    public BucketControl WithStray(int distance) =>
        With(Math.Max(Reach, distance), Math.Min(Strays + 1, StraysMax));

    /// <summary>The control with one stray fewer. After the count has reached its maximum, count and reach
    /// stay.</summary>
    public BucketControl WithoutStray()
    {
        var strays = Strays == StraysMax ? StraysMax : Strays - 1;
        return With(strays == 0 ? 0 : Reach, strays);
    }

    public BucketControl WithoutStrays() => With(0, 0);

    private BucketControl With(int reach, int strays) =>
        new((Half & ~(ReachMask | StraysMask)) | ((uint)reach << ReachShift) | ((uint)strays << StraysShift));
}
