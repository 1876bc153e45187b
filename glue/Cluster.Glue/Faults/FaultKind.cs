namespace Cluster.Glue.Faults;

/// <summary>The first byte of a Fault's body. The values are wire format and are never reused.</summary>
internal enum FaultKind : byte
{
    /// <summary>Glue itself failed: kind, delivery, code, message.</summary>
    Glue = 1,

    /// <summary>The method threw: the chain as text and, if its type is on the closed list, the exception
    /// itself.</summary>
    Application = 2,

    /// <summary>The method ended with a cancellation.</summary>
    Cancelled = 3,
}
