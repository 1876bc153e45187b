namespace Cluster.Pile.Layout;

/// <summary>The state of a slot: it says which thread may do what. Three bits of the header. The numbers are part of
/// the format: odd numbers are the states in which an object may be read, so that one bit tells.</summary>
internal enum SlotState
{
    Free = 0,
    Live = 1,

    /// <summary>One thread changes the object or copies it under the lock; all other threads wait.</summary>
    Busy = 2,

    /// <summary>One view lies on the object; readers may read, writers wait.</summary>
    Pinned = 3,

    /// <summary>The generations of the slot are used up; it is never handed out again.</summary>
    Retired = 4,

    /// <summary>Several views lie on the object; a side table counts them.</summary>
    Shared = 5,

    /// <summary>The body of a linked object: only its owner names it, and the owner's header protects it.</summary>
    Marked = 6,
}
