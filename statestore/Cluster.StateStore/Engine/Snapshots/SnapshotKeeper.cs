using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Layouts;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Restoring;
using Cluster.StateStore.Protocol.Storage;
using Cluster.StateStore.Protocol.Wire;
using Microsoft.Extensions.Logging;

namespace Cluster.StateStore.Engine.Snapshots;

/// <summary>Saves snapshots of the partitions of a node, one after the other, and restores lost partitions from them.
/// One thread of its own does all the work, so a slow disk holds nothing else up. Thread-safe.</summary>
internal sealed partial class SnapshotKeeper : IDisposable
{
    private const int ScanBytes = 256 << 10;

    /// <summary>After this many intervals, the snapshot of a partition that others save is deleted.</summary>
    private const int StaleIntervals = 4;

    private static readonly TimeSpan PollMax = TimeSpan.FromSeconds(1);

    private readonly BlockingCollection<Action> _work = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly Dictionary<PartitionId, long> _dueAt = [];
    private readonly Dictionary<PartitionId, EntryId> _saved = [];
    private readonly Dictionary<PartitionId, long> _withOthersSince = [];
    private readonly List<RecordImage> _records = [];
    private readonly FormatWriter _body = new(capacity: 64 << 10);
    private readonly SnapshotSettings _settings;
    private readonly PartitionHash _hash;
    private readonly LayoutShelf _layouts;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Thread _thread;
    private NodeEngine? _engine;
    private SnapshotFiles? _files;
    private int _layoutsSaved;
    private int _lostUntold;
    private int _foundUntold;
    private int _restoredUntold;
    private long _restoredEntries;
    private bool _isTroubleTold;
    private long _savedCount;
    private long _failedCount;
    private long _restoredCount;

    /// <summary>Makes a keeper that does nothing before <see cref="Start"/>.</summary>
    /// <param name="settings">Where and how often.</param>
    /// <param name="hash">The cluster.</param>
    /// <param name="layouts">The layouts of the values.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Where failures are told.</param>
    public SnapshotKeeper(
        SnapshotSettings settings, PartitionHash hash, LayoutShelf layouts, TimeProvider time, ILogger logger)
    {
        (_settings, _hash, _layouts, _time, _logger) = (settings, hash, layouts, time, logger);
        _thread = new Thread(Run) { IsBackground = true, Name = "snapshots of partitions" };
    }

    /// <summary>How many snapshots were saved.</summary>
    public long SavedCount => Interlocked.Read(ref _savedCount);

    /// <summary>How many snapshots could not be saved or loaded.</summary>
    public long FailedCount => Interlocked.Read(ref _failedCount);

    /// <summary>How many partitions were restored.</summary>
    public long RestoredCount => Interlocked.Read(ref _restoredCount);

    private NodeEngine Engine => _engine!;

    private SnapshotFiles Files => _files!;

    private long Now => _time.GetElapsedTime(0, _time.GetTimestamp()).Ticks;

    /// <summary>Opens the folder and begins. Call it before the engine starts.</summary>
    /// <param name="engine">The partitions.</param>
    /// <exception cref="IOException">The folder cannot be used; the message says why, and what to do.</exception>
    public void Start(NodeEngine engine)
    {
        _engine = engine;
        _files = SnapshotFiles.Open(_settings, _hash.ClusterId, _hash.PartitionCountMax);
        if (_files.Sharing is { } sharing)
            LogShared(_logger, LogText.Clean(sharing));
        ReadLayouts();
        _thread.Start();
    }

    /// <summary>Finds the snapshot of a lost partition and tells the engine.</summary>
    public void Find(PartitionId partition, long epoch) => Do(() => FindNow(partition, epoch));

    /// <summary>Loads a partition from its snapshot.</summary>
    public void Restore(PartitionId partition, long epoch) => Do(() => RestoreNow(partition, epoch));

    /// <summary>Saves all that has changed since it was saved last.</summary>
    /// <param name="cancellationToken">Ends the work after the partition that is being saved.</param>
    public async Task SaveAllAsync(CancellationToken cancellationToken)
    {
        if (!_thread.IsAlive)
            return;
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Do(() =>
        {
            try
            {
                foreach (var partition in Look().Where(partition => partition.IsHeld && IsChanged(partition)))
                {
                    if (cancellationToken.IsCancellationRequested)
                        break;
                    SaveNow(partition);
                }
            }
            finally
            {
                done.TrySetResult();
            }
        });
        await done.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc />
    public void Dispose()
    {
        if (_stop.IsCancellationRequested)
            return;
        _stop.Cancel();
        if (_thread.IsAlive)
            _thread.Join();
        _files?.Dispose();
        _work.Dispose();
        _stop.Dispose();
    }

    private void Do(Action work)
    {
        if (!_stop.IsCancellationRequested)
            _work.Add(work);
    }

    private void Run()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                if (_work.TryTake(out var work, (int)PollMax.TotalMilliseconds, _stop.Token))
                    work();
                else
                    SaveDue();
            }
            catch (OperationCanceledException) when (_stop.IsCancellationRequested)
            {
                return;
            }
            catch (Exception failure) when (failure is not OutOfMemoryException)
            {
                Fail(failure);
            }
        }
    }

    private void SaveDue()
    {
        foreach (var partition in Look())
        {
            if (_stop.IsCancellationRequested || _work.Count > 0)
                return;
            Forget(partition);
            if (partition.IsHeld && IsDue(partition.Id) && IsChanged(partition))
                SaveNow(partition);
        }
    }

    // The first snapshots are spread over an interval, and so are all later ones.
    private bool IsDue(PartitionId partition)
    {
        if (!_dueAt.TryGetValue(partition, out var at))
        {
            var share = (partition.Value % _hash.PartitionCount) / (double)_hash.PartitionCount;
            _dueAt[partition] = at = Now + (long)(_settings.Interval.Ticks * share);
        }

        if (Now < at)
            return false;
        _dueAt[partition] = Now + _settings.Interval.Ticks;
        return true;
    }

    // A file for each of a thousand partitions takes a slow disk as long as a node has to stop.
    private bool IsChanged(HeldPartition partition) =>
        !partition.IsBlank && (!_saved.TryGetValue(partition.Id, out var saved) || saved != partition.Committed);

    // Until others have saved the partition, this node may have the newest snapshot of it.
    private void Forget(HeldPartition partition)
    {
        if (!partition.IsWithOthers)
            _withOthersSince.Remove(partition.Id);
        else if (_withOthersSince.TryAdd(partition.Id, Now))
            _saved.Remove(partition.Id);
        else if (Now - _withOthersSince[partition.Id] >= StaleIntervals * _settings.Interval.Ticks)
        {
            _withOthersSince[partition.Id] = long.MaxValue;
            Files.Delete(partition.Id);
        }
    }

    private void SaveNow(HeldPartition partition)
    {
        try
        {
            if (!TrySave(partition))
                return;
            Interlocked.Increment(ref _savedCount);
            _isTroubleTold = false;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            Fail(failure);
        }
    }

    private bool TrySave(HeldPartition partition)
    {
        if (Engine.Look(partition.Id, static (parts, id) => parts.Shard.BeginSnapshot(id)) is not { } scan)
            return false;
        using var writer = Files.Create(partition.Id, scan.First, _body);
        bool? hasMore;
        do
        {
            _records.Clear();
            hasMore = Engine.Look((scan, _records), static (_, all) => all.scan.IsValid
                ? all.scan.Next(ScanBytes, all._records)
                : (bool?)null);
            if (hasMore is null || _stop.IsCancellationRequested)
                return false;
            _body.Clear();
            RecordFormat.Write(_records, _body);
            writer.Add(SnapshotBlock.Records, _body);
        }
        while (hasMore == true);
        if (Engine.Look(scan, End) is not var (mark, requests))
            return false;
        _body.Clear();
        RecordFormat.Write(requests, _body);
        writer.Add(SnapshotBlock.Requests, _body);
        _body.Clear();
        _body.UInt64(mark.Last.Value);
        _body.Varint((ulong)mark.Time);
        writer.Add(SnapshotBlock.End, _body);
        WriteLayouts();
        writer.Complete();
        _saved[partition.Id] = mark.First;
        return true;
    }

    private static (SnapshotMark Mark, ImmutableArray<RequestImage> Requests)? End(
        EngineParts parts, SnapshotScan scan) =>
        scan.IsValid ? (scan.End(parts.Now, out var requests), requests) : null;

    private void FindNow(PartitionId partition, long epoch)
    {
        EntryId mark = default;
        try
        {
            mark = Files.Read(partition, take: null)?.First ?? default;
        }
        catch (Exception failure) when (IsOfFile(failure))
        {
            SetAside(partition, failure);
        }

        Engine.Change(
            (partition, epoch, mark),
            static (shard, found, _) =>
            {
                shard.SnapshotFound(found.partition, found.epoch, found.mark);
                return true;
            });
        _lostUntold++;
        _foundUntold += mark == default ? 0 : 1;
        if (_work.Count > 0)
            return;
        LogLost(_logger, _lostUntold, _foundUntold);
        (_lostUntold, _foundUntold) = (0, 0);
    }

    private void RestoreNow(PartitionId partition, long epoch)
    {
        var count = 0L;
        SnapshotMark? mark = null;
        Exception? problem = null;
        try
        {
            mark = Files.Read(partition, content =>
            {
                count += content.Records.Length;
                return Engine.Change(
                    (partition, epoch, content),
                    static (shard, part, _) => shard.Load(part.partition, part.epoch, part.content));
            });
        }
        catch (Exception failure) when (IsOfFile(failure))
        {
            problem = failure;
        }

        var wasUnderWay = Engine.Change(
            (partition, epoch, mark),
            static (shard, end, now) => shard.EndLoad(end.partition, end.epoch, end.mark, now));
        if (!wasUnderWay)
            return;
        if (mark is null)
        {
            SetAside(partition, problem ?? new IOException("the pile has no room for it"));
            return;
        }

        Interlocked.Increment(ref _restoredCount);
        _restoredEntries += count;
        _restoredUntold++;
        if (_work.Count > 0)
            return;
        LogRestored(_logger, _restoredUntold, _restoredEntries);
        (_restoredUntold, _restoredEntries) = (0, 0);
    }

    // What could not be loaded stays on the disk, for an operator.
    private void SetAside(PartitionId partition, Exception failure)
    {
        Interlocked.Increment(ref _failedCount);
        LogUnusable(_logger, partition, LogText.Clean(failure.Message), LogText.Clean(TrySetAside(partition)));
    }

    private string TrySetAside(PartitionId partition)
    {
        try
        {
            return Files.SetAside(partition) is { } path ? $"It is kept as {path}." : "It is not there any more.";
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return $"It could not be put aside: {failure.Message}";
        }
    }

    private void ReadLayouts()
    {
        try
        {
            _layouts.Take(Files.ReadLayouts().Select(static layouts =>
                new LayoutsPart(layouts.State, 0, [.. layouts.Descriptions])));
        }
        catch (StateFormatException damage)
        {
            Interlocked.Increment(ref _failedCount);
            LogLayoutsUnusable(_logger, LogText.Clean(damage.Message));
        }
    }

    private void WriteLayouts()
    {
        var books = _layouts.Books.Select(static book => (book.State, book.Book.All)).ToArray();
        var count = books.Sum(static book => book.All.Length);
        if (count == _layoutsSaved)
            return;
        Files.WriteLayouts(books, _body);
        _layoutsSaved = count;
    }

    private HeldPartition[] Look() => Engine.Look(Engine.Table, static (parts, table) =>
    {
        var keepers = table?.Members
            .Where(member => member is { State: not MemberState.Gone, KeepsSnapshots: true })
            .Select(member => member.Slot)
            .ToHashSet() ?? [];
        return parts.Shard.Replicas
            .Select(replica => new HeldPartition(
                replica.Id,
                replica.Phase is Phase.InSync or Phase.Serving,
                replica.Committed,
                replica.Phase is Phase.Absent or Phase.Kept && replica.Entry.InSync.Items.Any(keepers.Contains))
            {
                WasLost = replica.Entry.LossCount > 0,
            })
            .ToArray();
    });

    private void Fail(Exception failure)
    {
        Interlocked.Increment(ref _failedCount);
        if (_isTroubleTold)
            return;
        _isTroubleTold = true;
        LogFailed(_logger, LogText.Clean(failure), LogText.Clean(failure.Message));
    }

    private static bool IsOfFile(Exception failure) =>
        failure is StateFormatException or IOException or UnauthorizedAccessException;
}
