namespace Shop.Drive.Supervision;

/// <summary>Restarts all nodes, one after the other, as an upgrade of a cluster does: each node hands its partitions
/// over and ends, starts again, and the next one waits until the cluster is whole. Thread-safe; one runs at a
/// time.</summary>
/// <param name="supervisor">The nodes.</param>
/// <param name="isWhole">Whether all nodes are active and own partitions.</param>
/// <param name="time">The clock of the waits.</param>
internal sealed class RollingRestart(NodeSupervisor supervisor, Func<bool> isWhole, TimeProvider time)
{
    private static readonly TimeSpan WaitMax = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    private int _isRunning;
    private int _restartedCount;

    /// <summary>How many nodes were restarted.</summary>
    public int RestartedCount => Volatile.Read(ref _restartedCount);

    /// <summary>Begins, unless one runs already.</summary>
    /// <param name="cancellationToken">Ends it after the present node.</param>
    public bool Begin(CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref _isRunning, 1) != 0)
            return false;
        _ = RunAsync(cancellationToken);
        return true;
    }

    private async Task RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            foreach (var node in supervisor.Nodes)
            {
                await WaitUntilWholeAsync(cancellationToken).ConfigureAwait(false);
                if (!await supervisor.RestartInOrderAsync(node.Name).ConfigureAwait(false))
                    continue;
                Interlocked.Increment(ref _restartedCount);
                await WaitUntilWholeAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The run is over.
        }
        finally
        {
            Volatile.Write(ref _isRunning, 0);
        }
    }

    private async Task WaitUntilWholeAsync(CancellationToken cancellationToken)
    {
        var started = time.GetTimestamp();
        while (!isWhole() && time.GetElapsedTime(started) < WaitMax)
            await Task.Delay(Pause, time, cancellationToken).ConfigureAwait(false);
    }
}
