using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>The store of a simulated cluster: one table with compare-and-swap, and the role of the coordinator for the
/// first who asks. It refuses a table that breaks a rule, and keeps the rule. A lock protects it.</summary>
internal sealed class SimulatedStore(int partitionCount)
{
    private readonly Lock _lock = new();
    private ClusterTable _table = ClusterTable.CreateEmpty(partitionCount);
    private NodeId? _coordinator;

    public ClusterTable Table
    {
        get
        {
            lock (_lock)
                return _table;
        }
    }

    /// <summary>Who has the role of the coordinator.</summary>
    public NodeId? Coordinator
    {
        get
        {
            lock (_lock)
                return _coordinator;
        }
    }

    /// <summary>The store does nothing and does not answer when it gets such a table; null: it always
    /// answers.</summary>
    public Func<ClusterTable, bool>? IsSilentFor { get; set; }

    /// <summary>The broken rules of tables that were proposed.</summary>
    public List<string> Violations { get; } = [];

    public SwapResult Swap(ClusterTable successor, NodeId proposer, bool needsCoordinator)
    {
        lock (_lock)
        {
            if (successor.ProposerNonce == _table.ProposerNonce)
                return SwapResult.Done;
            if (IsSilentFor?.Invoke(successor) == true)
                return SwapResult.Unknown;
            if (successor.Version != _table.Version + 1 || (needsCoordinator && _coordinator != proposer))
                return SwapResult.Conflict;
            if (PartitionTransitions.FindViolation(_table, successor) is { } violation)
            {
                Violations.Add(violation);
                return SwapResult.Conflict;
            }

            _table = successor;
            return SwapResult.Done;
        }
    }

    /// <summary>Replaces the table by a legal successor, as a node with the role could do.</summary>
    public ClusterTable Change(Func<ClusterTable, ClusterTable> change)
    {
        lock (_lock)
        {
            var next = change(_table.StartSuccessor(Guid.NewGuid()));
            Assert.Null(PartitionTransitions.FindViolation(_table, next));
            return _table = next;
        }
    }

    public NodeId Hold(NodeId node)
    {
        lock (_lock)
            return _coordinator ??= node;
    }

    public void Release(NodeId node)
    {
        lock (_lock)
            _coordinator = _coordinator == node ? null : _coordinator;
    }
}
