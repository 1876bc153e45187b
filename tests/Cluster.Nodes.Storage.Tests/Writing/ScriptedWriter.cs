using Cluster.Nodes.Storage.Writing;

namespace Cluster.Nodes.Storage.Tests.Writing;

/// <summary>A writer that notes which partitions it is asked to scan, and answers as a test says. A concurrent queue
/// has the notes.</summary>
internal sealed class ScriptedWriter(string name) : IStateWriter
{
    private readonly ConcurrentQueue<int> _scanned = new();
    private int _isOneMissed;

    public string Name => name;

    public int WaitingCount { get; set; }

    public TimeSpan SweepPause { get; set; } = TimeSpan.FromMinutes(10);

    /// <summary>What happens during a scan of a partition.</summary>
    public Func<int, CancellationToken, Task> OnScan { get; set; } = static (_, _) => Task.CompletedTask;

    /// <summary>How many values of a partition are missing.</summary>
    public Func<int, int> Missing { get; set; } = static _ => 0;

    /// <summary>The partitions that were scanned, in their order.</summary>
    public IReadOnlyList<int> Scanned => [.. _scanned];

    public void Miss() => Volatile.Write(ref _isOneMissed, 1);

    public bool TakeMissed() => Interlocked.Exchange(ref _isOneMissed, 0) != 0;

    public Task ScanAsync(PartitionId partition, CancellationToken cancellationToken)
    {
        _scanned.Enqueue(partition.Value);
        return OnScan(partition.Value, cancellationToken);
    }

    public Task<int> CountMissingAsync(PartitionId partition, CancellationToken cancellationToken) =>
        Task.FromResult(Missing(partition.Value));

    public void Start() => throw new NotSupportedException();

    public ValueTask<FlushReply> FlushAsync(FlushRequest request, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    public ValueTask<FlushReply> NoteAsync(FlushRequest request, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    public Task DrainAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    public Task StopAsync() => throw new NotSupportedException();
}
