using Cluster.Pile.Context;
using Cluster.Pile.Files;

namespace Cluster.Pile.Snapshots;

/// <summary>The snapshots of one pile. One is written at a time, on its own thread, because copying and writing take
/// long without a break. Owned by the pile; the lock guards which save was requested last.</summary>
internal sealed class PileSnapshots(PileContext pile, PileOptions options)
{
    private readonly PileContext _pile = pile;
    private readonly IPileFiles _files = options.Files;
    private readonly FolderRule _rule = new FolderRule(options.AllowSharedFolder);
    private readonly Lock _gate = new();
    private Task _last = Task.CompletedTask;

    public SnapshotCounters Counters => _pile.Snapshots;

    /// <summary>Writes a snapshot into a folder.</summary>
    public Task SaveAsync(string folder, CancellationToken cancellationToken)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        lock (_gate)
            return _last = SaveAfterAsync(_last, new SnapshotFolder(_files, folder, _rule), cancellationToken);
    }

    /// <summary>Writes snapshots repeatedly until the result is disposed.</summary>
    public IDisposable SaveEvery(string folder, TimeSpan interval, Action<Exception>? failed)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(interval, TimeSpan.Zero);
        return new SnapshotSchedule(this, _pile, folder, interval, failed);
    }

    /// <summary>Creates a pile from a snapshot; from the newest when no generation is given.</summary>
    public static Task<TPile> RestoreAsync<TPile>(
        string folder,
        PileOptions options,
        long? generation,
        Func<PileOrigin, TPile> create,
        CancellationToken cancellationToken)
        where TPile : class, IPersistedPile
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        ArgumentNullException.ThrowIfNull(options);
        options.ThrowIfWrong();
        var from = new SnapshotFolder(options.Files, folder, new FolderRule(options.AllowSharedFolder));
        return Task.Factory.StartNew(
            () => SnapshotRestore<TPile>.Run(from, options, generation, create, cancellationToken),
            cancellationToken,
            TaskCreationOptions.LongRunning | TaskCreationOptions.DenyChildAttach,
            TaskScheduler.Default);
    }

    private async Task SaveAfterAsync(Task before, SnapshotFolder folder, CancellationToken cancellationToken)
    {
        // The caller of the earlier save gets its failure; this save only waits for its end.
        await before.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await Task.Factory.StartNew(
            () => Save(folder, cancellationToken),
            cancellationToken,
            TaskCreationOptions.LongRunning | TaskCreationOptions.DenyChildAttach,
            TaskScheduler.Default).ConfigureAwait(false);
    }

    private void Save(SnapshotFolder folder, CancellationToken cancellationToken)
    {
        var began = _pile.Time.GetTimestamp();
        try
        {
            var save = new SnapshotSave(_pile, folder, cancellationToken);
            save.Run();
            Counters.NoteDone(_pile.Time.GetTimestamp(), _pile.Time.GetElapsedTime(began), save.Bytes);
        }
        catch
        {
            Counters.NoteFailed();
            throw;
        }
    }
}
