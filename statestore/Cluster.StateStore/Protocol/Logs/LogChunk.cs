namespace Cluster.StateStore.Protocol.Logs;

/// <summary>A piece of memory of a shard's log, in which the entries of all its partitions lie side by side.</summary>
/// <param name="bytes">The memory.</param>
internal sealed class LogChunk(byte[] bytes)
{
    public byte[] Bytes { get; } = bytes;

    /// <summary>How many bytes the log had taken in all when the chunk was opened.</summary>
    public long Begin { get; set; }

    /// <summary>How many bytes are written.</summary>
    public int Used { get; set; }

    /// <summary>How many entries here are still in a log.</summary>
    public int LiveCount { get; set; }

    /// <summary>Whether no further entry is written here.</summary>
    public bool IsClosed { get; set; }
}
