namespace Cluster.SystemTests.Faults;

/// <summary>How far the move of a partition to a node is, as the table tells it.</summary>
internal enum HandoffStep
{
    /// <summary>The node gets a copy.</summary>
    Copying,

    /// <summary>The node has a copy, and another node is the primary.</summary>
    InSync,

    /// <summary>The node has a copy, and becomes the primary next.</summary>
    Moving,

    /// <summary>The node is the primary, and the former one has a copy.</summary>
    Moved,
}
