using Cluster.StateStore.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.StateStore.Local;

/// <summary>Frees the memory of expired values in the background, a bounded number of index slots at a time. The node's
/// store owns it; only its one loop uses the position.</summary>
internal sealed partial class StateSweeper(PartitionStore[] partitions, NodeStateStoreOptions options, ILogger logger)
    : IAsyncDisposable
{
    /// <summary>The slots that are visited under one hold of a partition's lock.</summary>
    private const int SliceSlots = 1_024;

    private readonly ILogger _logger = logger;
    private readonly CancellationTokenSource _stop = new();
    private Task _loop = Task.CompletedTask;
    private int _partition;
    private bool _isDisposed;

    public void Start()
    {
        if (!_loop.IsCompleted)
            throw new InvalidOperationException("The sweep runs already.");
        _loop = RunAsync();
    }

    /// <summary>Sweeps a bounded number of slots, from the end of the last sweep on. Returns how many records it
    /// freed.</summary>
    public int SweepOnce()
    {
        var (looked, freed) = (0, 0);
        for (var visited = 0; visited < partitions.Length && looked < options.MaxSweepSlots; visited++)
        {
            var partition = partitions[_partition];
            _partition = (_partition + 1) % partitions.Length;
            var slots = partition.SweepPositions;
            while (slots > 0 && looked < options.MaxSweepSlots)
            {
                var slice = partition.Sweep(Math.Min(SliceSlots, Math.Min(slots, options.MaxSweepSlots - looked)));
                looked += slice.Looked;
                freed += slice.Freed;
                slots -= SliceSlots;
            }
        }

        return freed;
    }

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, true))
            return;
        await _stop.CancelAsync().ConfigureAwait(false);
        await _loop.ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                await Task.Delay(options.SweepInterval, options.Time, _stop.Token).ConfigureAwait(false);
                SweepOnce();
            }
            catch (OperationCanceledException)
            {
                return;
            }
            catch (Exception e) when (e is not OutOfMemoryException)
            {
                // The next round follows after the same delay. A value that cannot be freed must not stop the others.
                LogSweepFailed(LogText.Clean(e));
            }
        }
    }
}
