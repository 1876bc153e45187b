namespace Cluster.Buffers.Handles;

/// <summary>What came of a change to a buffer's leases or life.</summary>
internal enum BufferStep
{
    /// <summary>It was done; the buffer lives on.</summary>
    Done,

    /// <summary>The buffer ended; its memory is the caller's to give back.</summary>
    Ended,

    /// <summary>The handle names no live buffer.</summary>
    Stale,

    /// <summary>Leases are live.</summary>
    Leased,

    /// <summary>There is no lease to take back.</summary>
    NotLeased,
}
