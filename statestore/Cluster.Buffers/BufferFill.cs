namespace Cluster.Buffers;

/// <summary>What the elements of a new buffer are.</summary>
public enum BufferFill
{
    /// <summary>All bytes are zero. Memory that was used before is cleared first, about 30 ms for 1 GiB.</summary>
    Zeroed = 0,

    /// <summary>The bytes are whatever the memory held before: zeros, or what an earlier buffer of this process left
    /// there. Creation takes the same time for any size.</summary>
    Uninitialized = 1,
}
