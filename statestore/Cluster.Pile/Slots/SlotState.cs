namespace Cluster.Pile.Slots;

/// <summary>Who may do what with a slot; three bits of the header. The numbers are part of the format.</summary>
internal enum SlotState
{
    Free = 0,
    Live = 1,

    /// <summary>One thread changes the object or copies it under lock; everyone else waits.</summary>
    Busy = 2,

    /// <summary>A view lies on the object; readers may read, writers wait. Not used by format version 1.</summary>
    Pinned = 3,

    /// <summary>The generations of the slot are used up; it is never handed out again.</summary>
    Retired = 4,

    /// <summary>
    /// The body of a linked object: reached through its owner only and protected by the owner's header.
    /// </summary>
    Marked = 5,
}
