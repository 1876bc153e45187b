namespace Cluster.Nodes.Storage.Writing;

/// <summary>Stores the values of one state that this node has in memory. Made for each stored state; seen without its
/// types.</summary>
internal interface IStateWriter
{
    /// <summary>The name of the state.</summary>
    string Name { get; }

    /// <summary>How many keys wait to be stored.</summary>
    int WaitingCount { get; }

    /// <summary>How long a value may wait at most until a scan finds that the storage does not have it.</summary>
    TimeSpan SweepPause { get; }

    /// <summary>Begins to store.</summary>
    void Start();

    /// <summary>Stores a key now. The answer comes when the storage has the revision, or when an attempt has
    /// failed.</summary>
    ValueTask<FlushReply> FlushAsync(FlushRequest request, CancellationToken cancellationToken);

    /// <summary>Notes a key for later. The answer comes when it is noted, which may take until there is
    /// room.</summary>
    ValueTask<FlushReply> NoteAsync(FlushRequest request, CancellationToken cancellationToken);

    /// <summary>Whether a write has found no room since the last question. Its value is in memory, where only a scan
    /// finds it.</summary>
    bool TakeMissed();

    /// <summary>Notes all values of a partition that the storage may not have.</summary>
    Task ScanAsync(PartitionId partition, CancellationToken cancellationToken);

    /// <summary>Counts the values of a partition that the storage may not have.</summary>
    Task<int> CountMissingAsync(PartitionId partition, CancellationToken cancellationToken);

    /// <summary>Stores everything that waits, without the delays of the state. Returns when nothing waits, or when the
    /// token ends.</summary>
    Task DrainAsync(CancellationToken cancellationToken);

    /// <summary>Ends the attempts that run, and begins no more.</summary>
    Task StopAsync();
}
