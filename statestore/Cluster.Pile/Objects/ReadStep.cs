namespace Cluster.Pile.Objects;

/// <summary>How one attempt to read an object ended.</summary>
internal enum ReadStep
{
    Done,

    /// <summary>The pointer names no live object.</summary>
    Invalid,

    /// <summary>Something changed underneath; try again.</summary>
    Changed,

    /// <summary>Another thread has had the object locked for as many looks as one copy needs.</summary>
    Locked,

    /// <summary>The header did not change, and does not fit what it describes.</summary>
    Senseless,

    /// <summary>The object is long, so that it is copied under its lock.</summary>
    NeedsLock,
}
