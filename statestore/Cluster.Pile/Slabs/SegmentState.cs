namespace Cluster.Pile.Slabs;

/// <summary>What a segment of 2 MiB is to its pile.</summary>
internal enum SegmentState
{
    /// <summary>No memory was ever taken from the system for it.</summary>
    Untouched = 0,

    /// <summary>At least one of its blocks is taken.</summary>
    InUse = 1,

    /// <summary>All of its blocks are vacant and their memory is there.</summary>
    Ready = 2,

    /// <summary>Its memory went back to the system.</summary>
    GivenBack = 3,
}
