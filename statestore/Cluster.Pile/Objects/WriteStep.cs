namespace Cluster.Pile.Objects;

/// <summary>How one attempt to change an object ended.</summary>
internal enum WriteStep
{
    Done,

    /// <summary>The pointer names no live object.</summary>
    Invalid,

    /// <summary>A view lies on the object; nothing was changed.</summary>
    Pinned,

    /// <summary>Another thread has had the object locked for as many looks as one copy needs; nothing was
    /// changed.</summary>
    Locked,

    /// <summary>There is no slot for the new body; nothing was changed.</summary>
    Full,
}
