using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Copying;

/// <summary>A copy that this node sends. Used under the shard's lock.</summary>
/// <param name="ask">The question of the target.</param>
/// <param name="scan">The number of the scan.</param>
/// <param name="start">What was committed when the scan began.</param>
/// <param name="begunAt">When the scan began.</param>
internal sealed class CopySource(CopyAsk ask, long scan, EntryId start, long begunAt)
{
    /// <summary>How many chunks may be unanswered.</summary>
    public const int ChunksMax = 2;

    public CopyAsk Ask { get; } = ask;

    public long Scan { get; } = scan;

    public EntryId Start { get; } = start;

    public long BegunAt { get; } = begunAt;

    /// <summary>Whether the target has a base, so that the log alone is sent.</summary>
    public bool IsDifference => Ask.Base is not null;

    public ScanCursor Cursor { get; } = new();

    /// <summary>The index of the chunk that is sent next.</summary>
    public int Next { get; set; }

    /// <summary>How many chunks have arrived.</summary>
    public int Acked { get; set; }

    /// <summary>How many chunks have arrived at most since the target was named, in all its attempts.</summary>
    public int Furthest { get; set; }

    /// <summary>How many bytes of keys and values were sent.</summary>
    public long SentBytes { get; set; }

    /// <summary>Whether the last chunk was sent.</summary>
    public bool IsSent { get; set; }
}
