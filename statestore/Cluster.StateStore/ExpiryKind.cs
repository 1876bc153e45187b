namespace Cluster.StateStore;

/// <summary>The forms of an expiry. The numbers are part of the messages between nodes.</summary>
internal enum ExpiryKind
{
    /// <summary>What the state was registered with.</summary>
    Default = 0,

    /// <summary>No expiry.</summary>
    Never = 1,

    /// <summary>A span after the write.</summary>
    After = 2,

    /// <summary>An instant.</summary>
    At = 3,

    /// <summary>A span after the last access.</summary>
    Sliding = 4,
}
