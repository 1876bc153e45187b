namespace Cluster.Glue.Faults;

/// <summary>First byte of a Fault's body. Values are wire format and never reused.</summary>
internal enum FaultKind : byte
{
    /// <summary>The plumbing failed: kind, delivery, code, message.</summary>
    Glue = 1,

    /// <summary>The method threw: the chain as text and, if its type is on the closed list, the exception
    /// itself.</summary>
    Application = 2,

    /// <summary>The method ended with a cancellation.</summary>
    Cancelled = 3,
}
