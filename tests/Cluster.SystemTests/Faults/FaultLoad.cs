using Cluster.Contracts;
using Cluster.StateStore;
using Cluster.SystemTests.Host;
using Cluster.Testing.Linearizability;
using Cluster.Testing.Linearizability.Versions;

namespace Cluster.SystemTests.Faults;

/// <summary>The clients of a scenario: each begins operations at a fixed rate, whether or not earlier ones have ended,
/// so that a partition that does not answer delays no operation of another partition. Records every operation.
/// Thread-safe.</summary>
internal sealed class FaultLoad : IAsyncDisposable
{
    private const int ClientCount = 8;
    private const int PendingMax = 4_000;

    // Sums and written values differ, so that a read shows which write it has seen.
    private const long WrittenStep = 1_000_000;

    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(30);

    private readonly IPartitionedState<string, Counter> _counters;
    private readonly string[] _keys;
    private readonly int _partitionCount;
    private readonly long[] _versions;
    private readonly ConcurrentQueue<LoadEntry> _entries = new();
    private readonly ConcurrentQueue<Exception> _unexpected = new();
    private readonly CancellationTokenSource _end = new();
    private readonly long _startedAt = Stopwatch.GetTimestamp();
    private Task[] _clients = [];
    private long _ticks;
    private long _written;
    private int _pending;

    /// <summary>Makes a load that does nothing yet.</summary>
    /// <param name="counters">The state.</param>
    /// <param name="keys">The keys. A key belongs to the partition that is the rest of its index divided by the number
    /// of partitions.</param>
    /// <param name="partitionCount">The number of partitions.</param>
    public FaultLoad(IPartitionedState<string, Counter> counters, string[] keys, int partitionCount)
    {
        (_counters, _keys, _partitionCount) = (counters, keys, partitionCount);
        _versions = new long[keys.Length];
    }

    /// <summary>The time since the load was made, in seconds.</summary>
    public double Now => Stopwatch.GetElapsedTime(_startedAt).TotalSeconds;

    /// <summary>The calls with their answers, for the checker.</summary>
    public History<string, VersionedOperation, VersionedResult> History { get; } = new();

    public IReadOnlyCollection<LoadEntry> Entries => _entries;

    /// <summary>Exceptions that no user of a state expects.</summary>
    public IReadOnlyCollection<Exception> Unexpected => _unexpected;

    public IEnumerable<string> KeysOf(int partition) => _keys.Where((_, index) => index % _partitionCount == partition);

    public void Start() => _clients = [.. Enumerable.Range(0, ClientCount).Select(ClientAsync)];

    /// <summary>Lets the load run for a time.</summary>
    public async Task RunForAsync(TimeSpan span)
    {
        using var timer = new PeriodicTimer(span, TimeProvider.System);
        await timer.WaitForNextTickAsync(_end.Token);
    }

    /// <summary>Begins a read and a write of one key of each partition, so that each is tried from this moment
    /// on.</summary>
    public void Probe(IEnumerable<int> partitions)
    {
        foreach (var partition in partitions)
        {
            Begin(partition, LoadKind.Read);
            Begin(partition, LoadKind.Increment);
        }
    }

    /// <summary>Ends the clients, and waits for the operations that have begun.</summary>
    public async Task StopAsync(TimeSpan bound)
    {
        await _end.CancelAsync();
        await Task.WhenAll(_clients);
        await Testing.Eventually.TrueAsync(() => Volatile.Read(ref _pending) == 0, bound, "all operations have ended");
    }

    /// <summary>Reads every key.</summary>
    public async Task ReadAllAsync()
    {
        for (var index = 0; index < _keys.Length; index++)
            await RunAsync(index, LoadKind.Read);
    }

    public async ValueTask DisposeAsync()
    {
        if (!_end.IsCancellationRequested)
            await _end.CancelAsync();
        await Task.WhenAll(_clients);
        _end.Dispose();
    }

    private async Task ClientAsync(int client)
    {
        var random = new Random(client);
        using var timer = new PeriodicTimer(Period, TimeProvider.System);
        try
        {
            // The clients share the partitions, so that each partition is tried about once a second.
            for (var next = client; await timer.WaitForNextTickAsync(_end.Token); next += ClientCount)
            {
                if (Volatile.Read(ref _pending) < PendingMax)
                    Begin(next % _keys.Length, Choose(random));
            }
        }
        catch (OperationCanceledException)
        {
            // The end of the load.
        }
    }

    private static LoadKind Choose(Random random) => random.Next(100) switch
    {
        < 70 => LoadKind.Read,
        < 80 => LoadKind.Put,
        < 88 => LoadKind.PutIfVersion,
        < 92 => LoadKind.Remove,
        _ => LoadKind.Increment,
    };

    private void Begin(int index, LoadKind kind)
    {
        Interlocked.Increment(ref _pending);
        _ = Task.Run(async () =>
        {
            await RunAsync(index, kind);
            Interlocked.Decrement(ref _pending);
        });
    }

    private async Task RunAsync(int index, LoadKind kind)
    {
        var operation = Prepare(index, kind);
        var began = Now;
        var tick = Interlocked.Increment(ref _ticks);
        var outcome = LoadOutcome.Done;
        try
        {
            var result = await AskAsync(_keys[index], operation);
            History.Add(_keys[index], operation, result, tick, Interlocked.Increment(ref _ticks));
            if (result.Version is { } version)
                Volatile.Write(ref _versions[index], version);
        }
        catch (Exception failure)
        {
            outcome = Judge(failure);
            if (outcome == LoadOutcome.Unknown)
                History.Add(_keys[index], operation, null, tick, tick);
        }

        _entries.Enqueue(new LoadEntry(index % _partitionCount, kind, began, Now, outcome));
    }

    private VersionedOperation Prepare(int index, LoadKind kind) => kind switch
    {
        LoadKind.Read => new VersionedOperation(VersionedAction.Get),
        LoadKind.Put => new VersionedOperation(VersionedAction.Put, NextValue()),
        LoadKind.PutIfVersion => new VersionedOperation(
            VersionedAction.PutIfVersion, NextValue(), Volatile.Read(ref _versions[index])),
        LoadKind.Remove => new VersionedOperation(VersionedAction.Remove),
        _ => new VersionedOperation(VersionedAction.Increment, 1),
    };

    private long NextValue() => Interlocked.Increment(ref _written) * WrittenStep;

    private async Task<VersionedResult> AskAsync(string key, VersionedOperation operation)
    {
        switch (operation.Action)
        {
            case VersionedAction.Get:
                var entry = await _counters.GetWithVersionAsync(key);
                return new VersionedResult(Value: entry?.Value.Number, Version: entry?.Version.Value ?? 0);
            case VersionedAction.Put:
                var put = await _counters.PutAsync(key, new Counter { Number = operation.Value });
                return new VersionedResult(Version: put.Value);
            case VersionedAction.PutIfVersion:
                var swapped = await _counters.PutIfVersionAsync(
                    key, new Counter { Number = operation.Value }, new StateVersion(operation.Expected));
                return new VersionedResult(Flag: swapped is not null, Version: swapped?.Value);
            case VersionedAction.Remove:
                return new VersionedResult(Flag: await _counters.RemoveAsync(key));
            default:
                return new VersionedResult(Value: await _counters.UpdateAsync(key, new Add(operation.Value)));
        }
    }

    private LoadOutcome Judge(Exception failure)
    {
        switch (failure)
        {
            case StateOutcomeUnknownException:
                return LoadOutcome.Unknown;
            case StateUnavailableException or StateBusyException or StateFullException:
                return LoadOutcome.Refused;
            case GlueException { Delivery: GlueDelivery.NotDelivered }:
                return LoadOutcome.Refused;
            default:
                _unexpected.Enqueue(failure);
                return LoadOutcome.Unknown;
        }
    }
}
