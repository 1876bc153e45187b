namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>How new the content of a backup is. Used under the shard's lock.</summary>
internal sealed class Freshness
{
    /// <summary>At this moment of the own clock, nothing was committed at the primary that is not committed here; null:
    /// no such moment is known.</summary>
    public long? At { get; set; }

    /// <summary>When the primary was asked last without an answer; null: it was not.</summary>
    public long? AskedAt { get; set; }

    /// <summary>The reads that wait for newer content, with the age that they accept and when they began to
    /// wait.</summary>
    public List<(object Operation, long MaxAge, long Since)> Waiting { get; } = [];

    /// <summary>Whether the content is new enough.</summary>
    /// <param name="maxAge">The greatest age, in ticks.</param>
    /// <param name="now">The own clock.</param>
    /// <param name="startedAt">Nothing before this moment of the own clock counts.</param>
    public bool IsWithin(long maxAge, long now, long startedAt) =>
        At is { } at && at >= startedAt && now - at <= maxAge;

    /// <summary>Forgets what is known, because the content is dropped.</summary>
    public void Forget() => (At, AskedAt) = (null, null);
}
