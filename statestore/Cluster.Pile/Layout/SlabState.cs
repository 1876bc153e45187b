namespace Cluster.Pile.Layout;

/// <summary>The use of a block of 64 KiB; three bits of its slab entry. The numbers are part of the format.</summary>
internal enum SlabState
{
    Vacant = 0,

    /// <summary>Part of a slab of equal slots.</summary>
    Slots = 1,

    /// <summary>The first block of a large object.</summary>
    RunHead = 2,

    /// <summary>A later block of a large object; nothing starts here.</summary>
    RunTail = 3,

    /// <summary>The first block of a log segment or of an index page; no pointer resolves here.</summary>
    SegmentHead = 4,

    /// <summary>A later block of a log segment or of an index page.</summary>
    SegmentTail = 5,

    /// <summary>The slab, run or segment of the block has ended: nothing resolves there any more, but operations that
    /// began before may read it.</summary>
    Freed = 6,
}
