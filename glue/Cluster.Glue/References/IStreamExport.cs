namespace Cluster.Glue.References;

/// <summary>A stream of this side that the peer may read, whatever its items: what it may be sent, and whether it is
/// still wanted.</summary>
internal interface IStreamExport
{
    /// <summary>Whether the peer has begun to read.</summary>
    bool IsStarted { get; }

    /// <summary>The peer takes more; the first time, it begins to read.</summary>
    void AddCredit(long items, long bytes);

    /// <summary>The peer reads no more, or has gone; or its owner makes no more, and says why.</summary>
    void Stop(string? reason = null);
}
