namespace Cluster.Buffers.Handles;

/// <summary>The result of a change to a buffer's leases or life.</summary>
internal enum BufferStep
{
    /// <summary>It was done; the buffer lives on.</summary>
    Done,

    /// <summary>The buffer has ended; the caller gives its memory back.</summary>
    Freed,

    /// <summary>The handle names no live buffer.</summary>
    Stale,

    /// <summary>The buffer has leases.</summary>
    Leased,

    /// <summary>The buffer has no lease to release.</summary>
    NotLeased,
}
