namespace Cluster.Glue.References;

/// <summary>A stream of this side that the peer may read, whatever the type of its items.</summary>
internal interface IStreamExport
{
    /// <summary>Whether the peer has begun to read.</summary>
    bool IsStarted { get; }

    /// <summary>Adds credit of the peer; the first credit starts the reading.</summary>
    void AddCredit(long items, long bytes);

    /// <summary>Ends the stream: the peer reads no more or has gone, or the owner makes no more items and gives a
    /// reason.</summary>
    void Stop(string? reason = null);
}
