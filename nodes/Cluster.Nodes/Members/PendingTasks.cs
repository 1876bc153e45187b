namespace Cluster.Nodes.Members;

/// <summary>Work in the background that nobody awaits one by one. All of it ends before the owner does. Thread-safe.</summary>
internal sealed class PendingTasks : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly ConcurrentDictionary<Task, byte> _running = new();

    /// <summary>Starts work in a thread of the pool; later work than the end is not started.</summary>
    public void Start(Func<CancellationToken, Task> work)
    {
        if (_stop.IsCancellationRequested)
            return;
        var task = Task.Run(() => work(_stop.Token), CancellationToken.None);
        _running.TryAdd(task, 0);
        _ = task.ContinueWith(
            ended => _running.TryRemove(ended, out _),
            CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }

    /// <summary>Cancels the work and waits for its end.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_stop.IsCancellationRequested)
            return;
        await _stop.CancelAsync().ConfigureAwait(false);
        foreach (var task in _running.Keys)
            await task.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }
}
