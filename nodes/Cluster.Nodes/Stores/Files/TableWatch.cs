namespace Cluster.Nodes.Stores.Files;

/// <summary>Wakes waiters when the file system reports a change of the table's file. Reports may get lost, so waiters
/// also look by themselves. Owned by the store; a private lock protects the signal.</summary>
internal sealed class TableWatch : IDisposable
{
    private readonly Lock _lock = new();
    private readonly FileSystemWatcher? _watcher;
    private TaskCompletionSource _signal = NewSignal();

    public TableWatch(StoreFolder folder)
    {
        try
        {
            _watcher = new FileSystemWatcher(folder.ClusterFolder, Path.GetFileName(folder.TablePath));
            _watcher.Created += (_, _) => Wake();
            _watcher.Changed += (_, _) => Wake();
            _watcher.Renamed += (_, _) => Wake();
            _watcher.EnableRaisingEvents = true;
        }
        catch (Exception failure) when (failure is IOException or ArgumentException)
        {
            // The number of watchers is limited for the whole system. Without one, the polls must do.
            _watcher?.Dispose();
            _watcher = null;
        }
    }

    /// <summary>A task that completes at the next report. Take it before looking at the file, so that no change is
    /// missed.</summary>
    public Task NextReport
    {
        get
        {
            lock (_lock)
                return _signal.Task;
        }
    }

    public void Dispose() => _watcher?.Dispose();

    private void Wake()
    {
        TaskCompletionSource signal;
        lock (_lock)
        {
            signal = _signal;
            _signal = NewSignal();
        }

        signal.SetResult();
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
