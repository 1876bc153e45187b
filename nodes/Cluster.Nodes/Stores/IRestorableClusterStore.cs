using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Stores;

/// <summary>A store into which a cluster can be put back after the store has lost it: by an operator, or by the nodes
/// of the cluster.</summary>
public interface IRestorableClusterStore : IClusterStore
{
    /// <summary>Whether the nodes of the cluster may put it back by themselves. False: only an operator may.</summary>
    bool IsRestoredByNodes { get; }

    /// <summary>Writes a cluster's properties and table where the store holds no cluster. What the store holds is never
    /// replaced.</summary>
    /// <param name="meta">The properties that the cluster had.</param>
    /// <param name="table">The table to go on from.</param>
    /// <param name="cancellationToken">Ends the wait; the outcome is then unknown.</param>
    /// <returns>Whether it was written; <c>false</c> when the store holds a cluster.</returns>
    ValueTask<bool> RestoreAsync(ClusterMeta meta, ClusterTable table, CancellationToken cancellationToken);
}
