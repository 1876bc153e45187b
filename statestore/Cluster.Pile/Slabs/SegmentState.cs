namespace Cluster.Pile.Slabs;

/// <summary>The state of a segment of 2 MiB.</summary>
internal enum SegmentState
{
    /// <summary>The system was never asked for its memory.</summary>
    Untouched = 0,

    /// <summary>At least one of its blocks is taken.</summary>
    InUse = 1,

    /// <summary>All of its blocks are vacant, and their memory is there.</summary>
    Ready = 2,

    /// <summary>Its memory went back to the system.</summary>
    GivenBack = 3,
}
