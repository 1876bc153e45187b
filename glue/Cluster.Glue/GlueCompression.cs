namespace Cluster.Glue;

/// <summary>What becomes of the messages that one side of a connection sends.</summary>
public enum GlueCompression
{
    /// <summary>They travel as they are.</summary>
    None,

    /// <summary>Messages of 1 KiB or more travel compressed with gzip where that makes them smaller and the peer
    /// accepts it. Worth it for text and the like on networks of some hundred MB/s and slower; elsewhere it costs
    /// time.</summary>
    Gzip,
}
