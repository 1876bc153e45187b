namespace Cluster.Nodes.Members;

/// <summary>Work in the background that nobody awaits one by one. All of it ends before the owner does. A private lock
/// protects the list of the tasks.</summary>
/// <param name="failed">Gets the failure of a task. A cancelled task has not failed.</param>
internal sealed class PendingTasks(Action<Exception> failed) : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _lock = new();
    private readonly HashSet<Task> _running = [];
    private bool _isStopped;

    /// <summary>How many tasks run now.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
                return _running.Count;
        }
    }

    /// <summary>Starts work in a thread of the pool. After the end, work is not started.</summary>
    /// <param name="work">The work. It ends soon after its token is cancelled.</param>
    /// <returns>Whether the work was started.</returns>
    public bool Start(Func<CancellationToken, Task> work)
    {
        Task task;
        lock (_lock)
        {
            // The end takes the same lock, so it waits for each task that was started before.
            if (_isStopped)
                return false;
            task = Task.Run(() => RunAsync(work), CancellationToken.None);
            _running.Add(task);
        }

        _ = task.ContinueWith(
            Forget, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        return true;
    }

    /// <summary>Cancels the work and waits for its end.</summary>
    public async ValueTask DisposeAsync()
    {
        Task[] running;
        lock (_lock)
        {
            _isStopped = true;
            running = [.. _running];
        }

        await _stop.CancelAsync().ConfigureAwait(false);
        foreach (var task in running)
            await task.ConfigureAwait(false);
    }

    private async Task RunAsync(Func<CancellationToken, Task> work)
    {
        try
        {
            await work(_stop.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The owner ends.
        }
        catch (Exception failure)
        {
            failed(failure);
        }
    }

    private void Forget(Task task)
    {
        lock (_lock)
            _running.Remove(task);
    }
}
