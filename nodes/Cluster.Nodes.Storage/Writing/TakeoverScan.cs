using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Storage.Writing;

/// <summary>Looks for values that the storages do not have, with one <see cref="StateScan"/> for each state, so that a
/// state whose storage does not answer holds no other state back. Owned by <see cref="StorageLifetime"/>.</summary>
internal sealed partial class TakeoverScan(
    ICluster cluster, IEnumerable<IStateWriter> writers, TimeProvider time, ILogger<TakeoverScan> logger)
    : IAsyncDisposable
{
    private readonly StateScan[] _scans =
        [.. writers.Select(writer => new StateScan(writer, () => OwnOf(cluster), time, logger))];

    private readonly CancellationTokenSource _ended = new();
    private Task _work = Task.CompletedTask;
    private bool _isDisposed;

    public void Start() => _work = Task.WhenAll(_scans.Select(scan => Task.Run(() => scan.RunAsync(_ended.Token))));

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

    /// <summary>Scans all partitions of this node. Only when the loops have ended.</summary>
    public Task ScanAllAsync(CancellationToken cancellationToken) =>
        Task.WhenAll(_scans.Select(scan => scan.ScanAllAsync(cancellationToken)));

    /// <summary>Counts the values in the partitions of this node that the storage of one state may not have. Where they
    /// cannot be counted, it is what waits in the queue.</summary>
    public async Task<int> CountMissingAsync(IStateWriter writer, CancellationToken cancellationToken)
    {
        var count = 0;
        try
        {
            foreach (var partition in OwnOf(cluster))
                count += await writer.CountMissingAsync(partition, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is not OutOfMemoryException)
        {
            LogNotCounted(logger, LogText.Clean(writer.Name), LogText.Clean(failure));
        }

        return Math.Max(count, writer.WaitingCount);
    }

    private static PartitionId[] OwnOf(ICluster cluster) =>
    [
        .. cluster.Snapshot.Partitions
            .Where(partition => partition.Owner?.Node == cluster.Self)
            .Select(partition => partition.Partition),
    ];
}
