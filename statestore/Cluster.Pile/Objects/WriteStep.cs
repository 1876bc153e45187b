namespace Cluster.Pile.Objects;

/// <summary>The result of one attempt to change an object.</summary>
internal enum WriteStep
{
    Done,

    /// <summary>The pointer names no live object.</summary>
    Invalid,

    /// <summary>A view is open on the object; nothing was changed.</summary>
    Pinned,

    /// <summary>Another thread has locked the object for as many looks as one copy needs; nothing was
    /// changed.</summary>
    Locked,

    /// <summary>There is no slot for the new body; nothing was changed.</summary>
    Full,
}
