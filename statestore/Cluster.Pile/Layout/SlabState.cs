namespace Cluster.Pile.Layout;

/// <summary>What a block of 64 KiB is used for; three bits of its slab entry. The numbers are part of the
/// format.</summary>
internal enum SlabState
{
    Vacant = 0,

    /// <summary>Part of a slab of equal slots.</summary>
    Slots = 1,

    /// <summary>The first block of a large object.</summary>
    RunHead = 2,

    /// <summary>A later block of a large object; nothing starts here.</summary>
    RunTail = 3,

    /// <summary>The first block of a log segment or of a piece of an index; no pointer resolves here.</summary>
    SegmentHead = 4,

    /// <summary>A later block of the same.</summary>
    SegmentTail = 5,

    /// <summary>What it belonged to has ended: nothing resolves there any more, but operations that began before may
    /// look at it.</summary>
    Ended = 6,
}
