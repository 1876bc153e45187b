using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Stores.Memory;

/// <summary>The control plane of one cluster in memory: its properties, its table, its coordinator and the incarnations
/// of its nodes. Owned by the hub, shared by the stores of all nodes; a private lock protects everything.</summary>
internal sealed class InMemoryCluster(string name)
{
    /// <summary>How many ended incarnations are remembered. The oldest is forgotten, which only delays a
    /// takeover.</summary>
    public const int EndedLivesCountMax = 65_536;

    private readonly Lock _lock = new();
    private readonly HashSet<Guid> _alive = [];
    private readonly HashSet<Guid> _ended = [];
    private readonly Queue<Guid> _endedByAge = new();
    private TaskCompletionSource _changed = NewSignal();
    private ClusterMeta? _meta;
    private ClusterTable? _table;
    private NodeId? _coordinator;
    private long _coordinatorTerm;
    private bool _isEnded;

    public string Name { get; } = name;

    public ClusterMeta? Meta
    {
        get
        {
            lock (_lock)
                return _meta;
        }
    }

    public ClusterTable? Table
    {
        get
        {
            lock (_lock)
                return _table;
        }
    }

    public ClusterMeta Create(ClusterMeta proposed)
    {
        lock (_lock)
        {
            if (_meta is not null)
                return _meta;
            _table = ClusterTable.CreateEmpty(proposed.PartitionCount);
            return _meta = proposed;
        }
    }

    /// <summary>Takes a cluster where there is none. Answers whether it did.</summary>
    public bool TryRestore(ClusterMeta meta, ClusterTable table)
    {
        lock (_lock)
        {
            if (_meta is not null)
                return false;
            (_meta, _table) = (meta, table);
            return true;
        }
    }

    /// <summary>The standing table with a task that completes at the next change, taken together so that no change is
    /// missed.</summary>
    public (ClusterTable? Table, Task Changed) Observe()
    {
        lock (_lock)
            return (_table, _changed.Task);
    }

    /// <summary>Swaps, or returns why not; <c>null</c> when there is no table.</summary>
    public SwapOutcome? Swap(ClusterTable successor, InMemoryCoordinatorLease? coordinator)
    {
        TaskCompletionSource changed;
        lock (_lock)
        {
            if (_table is null)
                return null;
            if (coordinator is not null && (coordinator.Cluster != this || !IsHeldNeedsLock(coordinator)))
                return SwapOutcome.LeaseLost;
            if (ClusterStoreRules.Judge(_table, successor) is { } decided)
                return decided;
            _table = successor;
            changed = _changed;
            _changed = NewSignal();
        }

        changed.TrySetResult();
        return SwapOutcome.Swapped;
    }

    /// <summary>Ends this cluster: its leases are lost, and stores that wait for a change wake up.</summary>
    public void End()
    {
        TaskCompletionSource changed;
        lock (_lock)
        {
            _isEnded = true;
            _coordinator = null;
            changed = _changed;
        }

        changed.TrySetResult();
    }

    public bool TryRegister(NodeId node)
    {
        lock (_lock)
            return !_ended.Contains(node.Incarnation) && _alive.Add(node.Incarnation);
    }

    public void Withdraw(NodeId node)
    {
        lock (_lock)
        {
            if (!_alive.Remove(node.Incarnation))
                return;
            if (_coordinator == node)
                _coordinator = null;
            if (_endedByAge.Count == EndedLivesCountMax)
                _ended.Remove(_endedByAge.Dequeue());
            _ended.Add(node.Incarnation);
            _endedByAge.Enqueue(node.Incarnation);
        }
    }

    public bool IsRegistered(NodeId node)
    {
        lock (_lock)
            return _alive.Contains(node.Incarnation);
    }

    public bool HasEnded(NodeId node)
    {
        lock (_lock)
            return _ended.Contains(node.Incarnation);
    }

    public InMemoryCoordinatorLease? TryAcquire(NodeId node)
    {
        lock (_lock)
        {
            if (_isEnded || _coordinator is not null || !_alive.Contains(node.Incarnation))
                return null;
            _coordinator = node;
            return new InMemoryCoordinatorLease(this, ++_coordinatorTerm);
        }
    }

    public bool IsHeldBy(InMemoryCoordinatorLease lease)
    {
        lock (_lock)
            return IsHeldNeedsLock(lease);
    }

    public void Release(InMemoryCoordinatorLease lease)
    {
        lock (_lock)
        {
            if (IsHeldNeedsLock(lease))
                _coordinator = null;
        }
    }

    private bool IsHeldNeedsLock(InMemoryCoordinatorLease lease) =>
        _coordinator is not null && _coordinatorTerm == lease.Term;

    // Continuations run elsewhere: a waiter must not run inside the proposer's call.
    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
