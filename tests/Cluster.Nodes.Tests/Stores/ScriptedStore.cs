using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Tests.Stores;

/// <summary>A store whose answers a test sets: the result of each swap, and whether the store answers at all.</summary>
internal sealed class ScriptedStore(ClusterTable table) : IClusterStore
{
    public enum Swap
    {
        Honest,
        LoseAnswer,
        LoseRequest,
        Empty,
        ReplaceCluster,
        Overtake,
        LoseLease,
        Refuse,
        Fail,
        Hang,
    }

    private readonly Queue<Swap> _script = new();
    private int _readCount;
    private int _proofCount;
    private int _pollCount;

    public ClusterTable Table
    {
        get => Volatile.Read(ref table);
        private set => Volatile.Write(ref table, value);
    }

    /// <summary>The proposals, in order.</summary>
    public ConcurrentQueue<ClusterTable> Swaps { get; } = new();

    public int SwapCount => Swaps.Count;

    public int ProofCount => Volatile.Read(ref _proofCount);

    /// <summary>Ends each question for a proof.</summary>
    public Task ProofGate { get; set; } = Task.CompletedTask;

    public int PollCount => Volatile.Read(ref _pollCount);

    /// <summary>Ends each wait for a change.</summary>
    public Task Poll { get; set; } = Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System);

    /// <summary>Ends each read.</summary>
    public Task ReadGate { get; set; } = Task.CompletedTask;

    /// <summary>The lease that the next node gets; null: another node coordinates.</summary>
    public ScriptedLease? Lease { get; set; }

    /// <summary>The lease that the store gives after <see cref="Swap.LoseLease"/>; null: none.</summary>
    public ScriptedLease? NextLease { get; set; }

    public int ReadCount => Volatile.Read(ref _readCount);

    public int ReadFailures { get; set; }

    public HashSet<NodeId> Dead { get; } = [];

    public bool IsAway { get; set; }

    /// <summary>What the store shows of its table; null: the version alone.</summary>
    public Func<ClusterTable, TableStamp>? Stamp { get; set; }

    public string Description => "scripted store";

    public void Script(params Swap[] swaps)
    {
        foreach (var swap in swaps)
            _script.Enqueue(swap);
    }

    /// <summary>Replaces the table in the store, as an operator may do who restores it.</summary>
    public void Replace(ClusterTable table) => Table = table;

    public async ValueTask<ClusterTable> ReadTableAsync(
        TableConsistency consistency, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _readCount);
        if (ReadFailures-- > 0)
            throw Away();
        var read = Table;
        await ReadGate.WaitAsync(cancellationToken);
        return read;
    }

    public async ValueTask<SwapOutcome> CompareAndSwapAsync(
        ClusterTable successor, ICoordinatorLease? coordinator, CancellationToken cancellationToken)
    {
        Swaps.Enqueue(successor);
        switch (_script.TryDequeue(out var swap) ? swap : Swap.Honest)
        {
            case Swap.LoseAnswer:
                Table = successor;
                throw Away();
            case Swap.LoseRequest:
                throw Away();
            case Swap.Empty:
                throw new ClusterStoreException(ClusterStoreError.Emptied, "it holds no cluster any more");
            case Swap.ReplaceCluster:
                throw new ClusterStoreException(ClusterStoreError.Incompatible, "it holds another cluster");
            case Swap.Overtake:
                Table = Table with { Version = Table.Version + 1, ProposerNonce = Guid.NewGuid() };
                return SwapOutcome.Conflict;
            case Swap.LoseLease:
                Lease = NextLease;
                return SwapOutcome.LeaseLost;
            case Swap.Refuse:
                throw new ClusterStoreException(ClusterStoreError.Denied, "the token is not allowed to write");
            case Swap.Fail:
                throw new InvalidDataException("the answer is no answer");
            case Swap.Hang:
                await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);
                break;
        }

        if (successor.Version != Table.Version + 1)
            return SwapOutcome.Conflict;
        Table = successor;
        return SwapOutcome.Swapped;
    }

    public async ValueTask<bool> IsProvenDeadAsync(NodeId node, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _proofCount);
        await ProofGate.WaitAsync(cancellationToken);
        return IsAway ? throw Away() : Dead.Contains(node);
    }

    public ValueTask<ClusterMeta?> ReadMetaAsync(CancellationToken cancellationToken) => throw Away();

    public ValueTask<ClusterMeta> CreateAsync(ClusterMeta proposed, CancellationToken cancellationToken) =>
        throw Away();

    public ValueTask<TableStamp> ReadStampAsync(TableConsistency consistency, CancellationToken cancellationToken) =>
        new(Stamp?.Invoke(Table) ?? new TableStamp(Table.Version, null));

    public async ValueTask<TableStamp> WaitForChangeAsync(long knownVersion, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _pollCount);
        await Poll.WaitAsync(cancellationToken);
        return await ReadStampAsync(TableConsistency.Stale, cancellationToken);
    }

    public ValueTask<INodeRegistration> RegisterAsync(
        NodeId node, string address, CancellationToken cancellationToken) =>
        throw Away();

    public ValueTask<ICoordinatorLease?> TryAcquireCoordinatorAsync(NodeId node, CancellationToken cancellationToken) =>
        IsAway ? throw Away() : new(Lease);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static ClusterStoreException Away() => new(ClusterStoreError.Unreachable, "no answer");
}
