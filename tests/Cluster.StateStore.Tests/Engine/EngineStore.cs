using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Nodes;

namespace Cluster.StateStore.Tests.Engine;

/// <summary>The store of an in-process cluster: one table with compare-and-swap, and the role of the coordinator for the
/// first who asks. A lock protects it.</summary>
internal sealed class EngineStore(int partitionCount)
{
    private readonly Lock _lock = new();
    private NodeId? _coordinator;

    public ClusterTable Table { get; private set; } = ClusterTable.CreateEmpty(partitionCount);

    /// <summary>The broken rules of tables that were proposed.</summary>
    public List<string> Violations { get; } = [];

    public SwapResult Swap(ClusterTable successor, NodeId proposer, bool needsCoordinator)
    {
        lock (_lock)
        {
            if (successor.ProposerNonce == Table.ProposerNonce)
                return SwapResult.Done;
            if (successor.Version != Table.Version + 1 || (needsCoordinator && _coordinator != proposer))
                return SwapResult.Conflict;
            if (PartitionTransitions.FindViolation(Table, successor) is { } violation)
                Violations.Add(violation);
            Table = successor;
            return SwapResult.Done;
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
