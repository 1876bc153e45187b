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
        Overtake,
        LoseLease,
    }

    private readonly Queue<Swap> _script = new();
    private int _readCount;

    public ClusterTable Table { get; private set; } = table;

    public int SwapCount { get; private set; }

    public int ReadCount => Volatile.Read(ref _readCount);

    public int ReadFailures { get; set; }

    public HashSet<NodeId> Dead { get; } = [];

    public bool IsAway { get; set; }

    public string Description => "scripted store";

    public void Script(params Swap[] swaps)
    {
        foreach (var swap in swaps)
            _script.Enqueue(swap);
    }

    /// <summary>Replaces the table in the store, as an operator may do who restores it.</summary>
    public void Replace(ClusterTable table) => Table = table;

    public ValueTask<ClusterTable> ReadTableAsync(TableConsistency consistency, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _readCount);
        if (ReadFailures-- > 0)
            throw Away();
        return new(Table);
    }

    public ValueTask<SwapOutcome> CompareAndSwapAsync(
        ClusterTable successor, ICoordinatorLease? coordinator, CancellationToken cancellationToken)
    {
        SwapCount++;
        switch (_script.TryDequeue(out var swap) ? swap : Swap.Honest)
        {
            case Swap.LoseAnswer:
                Table = successor;
                throw Away();
            case Swap.LoseRequest:
                throw Away();
            case Swap.Overtake:
                Table = Table with { Version = Table.Version + 1, ProposerNonce = Guid.NewGuid() };
                return new(SwapOutcome.Conflict);
            case Swap.LoseLease:
                return new(SwapOutcome.LeaseLost);
            default:
                Table = successor;
                return new(SwapOutcome.Swapped);
        }
    }

    public ValueTask<bool> IsProvenDeadAsync(NodeId node, CancellationToken cancellationToken) =>
        IsAway ? throw Away() : new(Dead.Contains(node));

    public ValueTask<ClusterMeta?> ReadMetaAsync(CancellationToken cancellationToken) => throw Away();

    public ValueTask<ClusterMeta> CreateAsync(ClusterMeta proposed, CancellationToken cancellationToken) =>
        throw Away();

    public ValueTask<long> WaitForChangeAsync(long knownVersion, CancellationToken cancellationToken) => throw Away();

    public ValueTask<INodeRegistration> RegisterAsync(
        NodeId node, string address, CancellationToken cancellationToken) =>
        throw Away();

    public ValueTask<ICoordinatorLease?> TryAcquireCoordinatorAsync(NodeId node, CancellationToken cancellationToken) =>
        throw Away();

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static ClusterStoreException Away() => new(ClusterStoreError.Unreachable, "no answer");
}
