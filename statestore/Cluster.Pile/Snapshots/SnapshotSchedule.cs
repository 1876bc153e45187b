using Cluster.Pile.Barriers;
using Cluster.Pile.Context;

namespace Cluster.Pile.Snapshots;

/// <summary>Saves a pile repeatedly: one interval after the last save has ended, or earlier when slots are reused so
/// often that a restore of the last snapshot could not reject their later pointers. A failure is reported once, and the
/// next interval tries again. Stops when it is disposed or the pile is closed. Guarded by its lock.</summary>
internal sealed class SnapshotSchedule : IDisposable
{
    private readonly PileSnapshots _snapshots;
    private readonly PileContext _pile;
    private readonly string _folder;
    private readonly TimeSpan _interval;
    private readonly Action<Exception>? _failed;
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _gate = new();
    private readonly ITimer _timer;
    private bool _isSaving;
    private bool _isStopped;

    public SnapshotSchedule(
        PileSnapshots snapshots, PileContext pile, string folder, TimeSpan interval, Action<Exception>? failed)
    {
        _snapshots = snapshots;
        _pile = pile;
        _folder = folder;
        _interval = interval;
        _failed = failed;
        _timer = pile.Time.CreateTimer(_ => Begin(), null, interval, Timeout.InfiniteTimeSpan);
        pile.Table.Barrier.Watch(new ReuseWatch(pile.Settings.Margin, Begin));
    }

    /// <summary>Whether a save is under way; the next interval begins when it ends.</summary>
    public bool IsSaving
    {
        get
        {
            lock (_gate)
                return _isSaving;
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            if (_isStopped)
                return;
            _isStopped = true;
        }

        _pile.Table.Barrier.Watch(null);
        _timer.Dispose();
        _stop.Cancel();
    }

    private void Begin()
    {
        lock (_gate)
        {
            if (_isStopped || _isSaving)
                return;
            _isSaving = true;
            _timer.Change(_interval, Timeout.InfiniteTimeSpan);
        }

        _ = SaveAsync();
    }

    private async Task SaveAsync()
    {
        try
        {
            await _snapshots.SaveAsync(_folder, _stop.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException)
        {
            // The schedule was stopped, or the pile was closed.
            if (e is ObjectDisposedException)
                Dispose();
        }
        catch (Exception e)
        {
            _failed?.Invoke(e);
        }
        finally
        {
            End();
        }
    }

    // The next save comes one interval after this one, also when this one took longer than the interval.
    private void End()
    {
        lock (_gate)
        {
            _isSaving = false;
            if (!_isStopped)
                _timer.Change(_interval, Timeout.InfiniteTimeSpan);
        }
    }
}

/// <summary>The settings for snapshots, from the options and the origin of a pile. Immutable.</summary>
/// <param name="LogBytesMax">The memory that copies of changed blocks may take while a snapshot is written.</param>
/// <param name="Margin">How far a restore raises the counters of slots.</param>
/// <param name="CounterFirst">The first counter of slots in addresses that were never used.</param>
internal sealed record SnapshotSettings(long LogBytesMax, uint Margin, uint CounterFirst);
