namespace Cluster.Glue.Streams;

/// <summary>The first byte of an End with a fault: what the producer was doing when it failed. Values are wire format
/// and never reused.</summary>
internal enum StreamPhase : byte
{
    /// <summary>The producer was making items: the reader gets the fault after the last item.</summary>
    Making = 1,

    /// <summary>The producer was being closed: a reader that leaves early gets the fault, too.</summary>
    Closing = 2,
}
