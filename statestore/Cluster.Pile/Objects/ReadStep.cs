namespace Cluster.Pile.Objects;

/// <summary>The result of one attempt to read an object.</summary>
internal enum ReadStep
{
    Done,

    /// <summary>The pointer names no live object.</summary>
    Invalid,

    /// <summary>The object changed during the copy; try again.</summary>
    Changed,

    /// <summary>Another thread has locked the object for as many looks as one copy needs.</summary>
    Locked,

    /// <summary>The header did not change, and does not fit the slot that it describes: the memory is
    /// damaged.</summary>
    Senseless,

    /// <summary>The object is long, so it must be copied under its lock.</summary>
    NeedsLock,
}
