using Cluster.Nodes;

namespace Cluster.SystemTests.Nodes;

/// <summary>Collects the events of a cluster while a test runs. A private lock protects the list.</summary>
internal sealed class EventLog : IAsyncDisposable
{
    private readonly Lock _lock = new();
    private readonly List<ClusterEvent> _events = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _reading;

    public EventLog(ICluster cluster) => _reading = ReadAsync(cluster.WatchAsync(_stop.Token));

    public ClusterEvent[] All
    {
        get
        {
            lock (_lock)
                return [.. _events];
        }
    }

    public ClusterEvent? Find(ClusterEventKind kind) => All.FirstOrDefault(happened => happened.Kind == kind);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _reading;
        _stop.Dispose();
    }

    private async Task ReadAsync(IAsyncEnumerable<ClusterEvent> source)
    {
        try
        {
            await foreach (var happened in source)
            {
                lock (_lock)
                    _events.Add(happened);
            }
        }
        catch (OperationCanceledException)
        {
            // The test is over.
        }
    }
}
