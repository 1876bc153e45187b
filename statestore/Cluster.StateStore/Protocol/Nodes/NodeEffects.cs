using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Nodes;

/// <summary>What the shell is to do after a call of a node's core. The shell clears it before the next call. Used by
/// one thread.</summary>
internal sealed class NodeEffects
{
    /// <summary>Frames by receiver.</summary>
    public List<(NodeId To, object Frame)> Messages { get; } = [];

    /// <summary>Tables to propose to the store, and whether only the coordinator may do so.</summary>
    public List<(ClusterTable Successor, bool NeedsCoordinator)> Swaps { get; } = [];

    /// <summary>Lives of which the shell should find out whether they have ended.</summary>
    public List<NodeId> Probes { get; } = [];

    /// <summary>Whether to read the table from the store.</summary>
    public bool ReadsTable { get; set; }

    /// <summary>Whether that read must show the newest table.</summary>
    public bool IsConsistent { get; set; }

    /// <summary>The newest version that another node knows, higher than the one known here; zero: none.</summary>
    public long HeardVersion { get; set; }

    /// <summary>Whether to ask the store for the role of the coordinator, and who has it.</summary>
    public bool HoldsCoordinator { get; set; }

    /// <summary>Whether to give the role back.</summary>
    public bool ReleasesCoordinator { get; set; }

    /// <summary>Whether the node has left the cluster, so that its process can end.</summary>
    public bool Exits { get; set; }

    /// <summary>Whether there is nothing to do.</summary>
    public bool IsEmpty => Messages.Count == 0 && Swaps.Count == 0 && Probes.Count == 0
        && !ReadsTable && !HoldsCoordinator && !ReleasesCoordinator;

    public void Read(bool isConsistent)
    {
        ReadsTable = true;
        IsConsistent |= isConsistent;
    }

    public void Clear()
    {
        Messages.Clear();
        Swaps.Clear();
        Probes.Clear();
        (ReadsTable, IsConsistent, HoldsCoordinator, ReleasesCoordinator, Exits) = (false, false, false, false, false);
        HeardVersion = 0;
    }
}
