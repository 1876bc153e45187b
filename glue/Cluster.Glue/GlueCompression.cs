namespace Cluster.Glue;

/// <summary>Whether one side of a connection compresses the messages that it sends.</summary>
public enum GlueCompression
{
    /// <summary>Messages are not compressed.</summary>
    None,

    /// <summary>Messages of 1 KiB or more are compressed with gzip if that makes them smaller and the peer accepts it.
    /// Useful for text and similar data on networks of some hundred MB/s and slower; elsewhere it costs time.</summary>
    Gzip,
}
