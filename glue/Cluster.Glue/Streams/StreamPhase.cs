namespace Cluster.Glue.Streams;

/// <summary>First byte of an End with a fault: when the producer failed. Values are wire format and never
/// reused.</summary>
internal enum StreamPhase : byte
{
    /// <summary>While items were made: the fault belongs behind the last one.</summary>
    Making = 1,

    /// <summary>While it was closed: a reader that leaves early is told, too.</summary>
    Closing = 2,
}
