using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Stores;

/// <summary>The control plane's memory: the cluster's identity, its table, who is the coordinator, who says it is
/// alive. Never on the path of a read, a write or a call. Every operation has its own deadline and throws
/// <see cref="ClusterStoreException"/> when the store cannot answer in time; after a failed compare-and-swap of that
/// kind the outcome is unknown until a consistent read shows the proposer's nonce or a higher version. A store belongs
/// to the cluster whose properties it reads or creates first. When its place holds another cluster later, every read,
/// wait, swap and attempt to coordinate fails as <see cref="ClusterStoreError.Incompatible"/>, and a lease that it
/// handed out is held no more. When its place holds no cluster any more, they fail as
/// <see cref="ClusterStoreError.Emptied"/>. <see cref="StoreIdentity"/> does the comparison for authors of
/// stores.</summary>
public interface IClusterStore : IAsyncDisposable
{
    /// <summary>What kind of store this is and where, for messages: <c>file store in /var/lib/shop</c>.</summary>
    string Description { get; }

    /// <summary>The cluster's fixed properties, or <c>null</c> when it has not been bootstrapped.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<ClusterMeta?> ReadMetaAsync(CancellationToken cancellationToken);

    /// <summary>Bootstraps the cluster unless somebody has; returns the properties that stand.</summary>
    /// <param name="proposed">The properties of a new cluster.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<ClusterMeta> CreateAsync(ClusterMeta proposed, CancellationToken cancellationToken);

    /// <summary>Reads the table.</summary>
    /// <param name="consistency">Whether a lagging copy will do.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<ClusterTable> ReadTableAsync(TableConsistency consistency, CancellationToken cancellationToken);

    /// <summary>Reads what tells the stored table from any other one. Cheap: a process reads the whole table only when
    /// no other process can tell it what has changed.</summary>
    /// <param name="consistency">Whether a lagging copy will do.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<TableStamp> ReadStampAsync(TableConsistency consistency, CancellationToken cancellationToken);

    /// <summary>Replaces the table by its successor, if the stored version is still <c>successor.Version -
    /// 1</c>.</summary>
    /// <param name="successor">The successor.</param>
    /// <param name="coordinator">When given, the swap happens only while that lease is still held.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<SwapOutcome> CompareAndSwapAsync(
        ClusterTable successor, ICoordinatorLease? coordinator, CancellationToken cancellationToken);

    /// <summary>Waits until the stored table is newer than a version, or until the store's own wait limit has
    /// passed.</summary>
    /// <param name="knownVersion">The version the caller has.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>What the store holds now; its version may equal <paramref name="knownVersion"/>.</returns>
    ValueTask<TableStamp> WaitForChangeAsync(long knownVersion, CancellationToken cancellationToken);

    /// <summary>Announces a node. The registration is a hint for the coordinator; it must be beaten once a
    /// second.</summary>
    /// <param name="node">Who registers.</param>
    /// <param name="address">Where its services listen.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<INodeRegistration> RegisterAsync(NodeId node, string address, CancellationToken cancellationToken);

    /// <summary>Tries to become the coordinator; <c>null</c> when another node is.</summary>
    /// <param name="node">Who asks.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<ICoordinatorLease?> TryAcquireCoordinatorAsync(NodeId node, CancellationToken cancellationToken);

    /// <summary>Whether the store itself can prove that this life of the node is over, as the file store can by taking
    /// over the lock that the operating system released. A store without such means answers <c>false</c>.</summary>
    /// <param name="node">The node in question.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<bool> IsProvenDeadAsync(NodeId node, CancellationToken cancellationToken);
}
