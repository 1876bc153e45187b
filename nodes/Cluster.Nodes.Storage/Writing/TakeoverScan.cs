using Cluster.Contracts.Pacing;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Storage.Writing;

/// <summary>Looks for values that the storage does not have in each partition that this node gets, and in all of its
/// partitions now and then: the node that wrote them may have died before it told anybody. After a write that found no
/// room in the queue, it looks in all of them at once. One loop, owned by
/// <see cref="StorageLifetime"/>, whose fields nobody else touches.</summary>
internal sealed partial class TakeoverScan(
    ICluster cluster, IEnumerable<IStateWriter> writers, TimeProvider time, ILogger<TakeoverScan> logger)
    : IAsyncDisposable
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan MaxPause = TimeSpan.FromSeconds(30);

    private readonly IStateWriter[] _writers = [.. writers];
    private readonly HashSet<PartitionId> _scanned = [];
    private readonly CancellationTokenSource _ended = new();
    private readonly Backoff _pauses = new(Pause, MaxPause, new Jitter());
    private Task _work = Task.CompletedTask;
    private long _sweptAt;
    private bool _isDisposed;

    private PartitionId[] OwnPartitions =>
    [
        .. cluster.Snapshot.Partitions
            .Where(partition => partition.Owner?.Node == cluster.Self)
            .Select(partition => partition.Partition),
    ];

    public void Start()
    {
        _sweptAt = time.GetTimestamp();
        _work = Task.Run(RunAsync);
    }

    public async Task StopAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        await _work.ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        await StopAsync().ConfigureAwait(false);
        _ended.Dispose();
    }

    /// <summary>Scans all partitions of this node. Only when the loop has ended.</summary>
    public async Task ScanAllAsync(CancellationToken cancellationToken)
    {
        _scanned.Clear();
        await ScanNewAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Counts the values in the partitions of this node that the storage of one state may not have. Where they
    /// cannot be counted, it is what waits in the queue.</summary>
    public async Task<int> CountMissingAsync(IStateWriter writer, CancellationToken cancellationToken)
    {
        var count = 0;
        try
        {
            foreach (var partition in OwnPartitions)
                count += await writer.CountMissingAsync(partition, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is not OutOfMemoryException)
        {
            LogNotCounted(logger, LogText.Clean(writer.Name), LogText.Clean(failure));
        }

        return Math.Max(count, writer.WaitingCount);
    }

    // Returns whether all partitions could be scanned.
    private async Task<bool> ScanNewAsync(CancellationToken cancellationToken)
    {
        var isOneMissed = false;
        foreach (var writer in _writers)
            isOneMissed |= writer.TakeMissed();
        if (isOneMissed || time.GetElapsedTime(_sweptAt) >= _writers.Min(writer => writer.SweepPause))
        {
            _scanned.Clear();
            _sweptAt = time.GetTimestamp();
        }

        var own = OwnPartitions;
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

    private async Task RunAsync()
    {
        try
        {
            while (true)
            {
                var pause = Pause;
                if (await ScanNewAsync(_ended.Token).ConfigureAwait(false))
                    _pauses.Reset();
                else
                    pause = _pauses.Next();
                await Task.Delay(pause, time, _ended.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (_ended.IsCancellationRequested)
        {
            // The node stops.
        }
    }

    private async Task<bool> TryScanAsync(PartitionId partition, CancellationToken cancellationToken)
    {
        try
        {
            foreach (var writer in _writers)
                await writer.ScanAsync(partition, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (Exception failure) when (failure is not OutOfMemoryException
            && !(failure is OperationCanceledException && cancellationToken.IsCancellationRequested))
        {
            // The partition may have moved on already. If it is still here, it is scanned again after the pause.
            LogNotScanned(logger, partition, LogText.Clean(failure));
            return false;
        }
    }
}
