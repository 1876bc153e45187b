using Cluster.StateStore.Protocol.Frames;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>How far the copy that a target receives has come. Used under the shard's lock.</summary>
/// <param name="number">The number of the copy, which the source repeats.</param>
internal sealed class CopyState(long number)
{
    public long Number { get; } = number;

    /// <summary>The source's scan; zero before the first chunk.</summary>
    public long Scan { get; set; }

    /// <summary>The index of the chunk that is expected next.</summary>
    public int Next { get; set; }

    /// <summary>Whether all records have arrived.</summary>
    public bool IsComplete => Last is not null;

    /// <summary>The acknowledgement of the last chunk, which is sent again until the target is in sync.</summary>
    public CopyAck? Last { get; set; }

    /// <summary>When the target asked last, or a chunk arrived.</summary>
    public long ProgressAt { get; set; }
}
