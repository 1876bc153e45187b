using Cluster.Contracts.Pacing;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Storage.Writing;

/// <summary>Looks for values of one state that its storage does not have in each partition that this node gets, and in
/// all of its partitions now and then: the node that wrote them may have died before it told anybody. After a write
/// that found no room in the queue, it looks in all of them at once. Used by one loop.</summary>
/// <param name="writer">Stores the state.</param>
/// <param name="findOwn">Finds the partitions of this node.</param>
/// <param name="time">The clock of the pauses.</param>
/// <param name="logger">Where it tells what could not be searched.</param>
internal sealed partial class StateScan(
    IStateWriter writer, Func<PartitionId[]> findOwn, TimeProvider time, ILogger logger)
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan MaxPause = TimeSpan.FromSeconds(30);

    private readonly HashSet<PartitionId> _scanned = [];
    private readonly Backoff _pauses = new(Pause, MaxPause, new Jitter());
    private long _sweptAt = time.GetTimestamp();

    /// <summary>Scans what is new, until the token ends.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            while (true)
            {
                var pause = Pause;
                if (await ScanNewAsync(cancellationToken).ConfigureAwait(false))
                    _pauses.Reset();
                else
                    pause = _pauses.Next();
                await Task.Delay(pause, time, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The node stops.
        }
    }

    /// <summary>Scans all partitions of this node. Only when the loop has ended.</summary>
    public async Task ScanAllAsync(CancellationToken cancellationToken)
    {
        _scanned.Clear();
        await ScanNewAsync(cancellationToken).ConfigureAwait(false);
    }

    // Returns whether all partitions could be scanned.
    private async Task<bool> ScanNewAsync(CancellationToken cancellationToken)
    {
        if (writer.TakeMissed() || time.GetElapsedTime(_sweptAt) >= writer.SweepPause)
        {
            _scanned.Clear();
            _sweptAt = time.GetTimestamp();
        }

        var own = findOwn();
        _scanned.IntersectWith(own);
        var isComplete = true;
        foreach (var partition in own.Where(partition => !_scanned.Contains(partition)))
        {
            if (await TryScanAsync(partition, cancellationToken).ConfigureAwait(false))
                _scanned.Add(partition);
            else
                isComplete = false;
        }

        return isComplete;
    }

    private async Task<bool> TryScanAsync(PartitionId partition, CancellationToken cancellationToken)
    {
        try
        {
            await writer.ScanAsync(partition, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (Exception failure) when (failure is not OutOfMemoryException
            && !(failure is OperationCanceledException && cancellationToken.IsCancellationRequested))
        {
            // The partition may have moved on already. If it is still here, it is scanned again after the pause.
            LogNotScanned(logger, LogText.Clean(writer.Name), partition, LogText.Clean(failure));
            return false;
        }
    }
}
