namespace Cluster.Pile.Slots;

/// <summary>Who may do what with a slot; three bits of the header. The numbers are part of the format: the odd ones are
/// those of objects that may be read, so that one bit tells.</summary>
internal enum SlotState
{
    Free = 0,
    Live = 1,

    /// <summary>One thread changes the object or copies it under lock; everyone else waits.</summary>
    Busy = 2,

    /// <summary>One view lies on the object; readers may read, writers wait.</summary>
    Pinned = 3,

    /// <summary>The generations of the slot are used up; it is never handed out again.</summary>
    Retired = 4,

    /// <summary>Several views lie on the object; a side table counts them.</summary>
    Shared = 5,

    /// <summary>The body of a linked object: reached through its owner only and protected by the owner's
    /// header.</summary>
    Marked = 6,
}
