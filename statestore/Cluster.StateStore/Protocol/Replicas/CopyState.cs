using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>How far the copy that a target receives has come. Used under the shard's lock.</summary>
/// <param name="number">The number of the copy, which the source repeats.</param>
internal sealed class CopyState(long number)
{
    public long Number { get; } = number;

    /// <summary>What an earlier life of the node has left; null: nothing.</summary>
    public BaseMark? Base { get; init; }

    /// <summary>Whether the base is as the earlier life has left it.</summary>
    public bool IsBaseUntouched => Base is not null && Scan == 0;

    /// <summary>The bytes of keys and values in the base.</summary>
    public long BaseBytes { get; set; }

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
