using Cluster.Nodes.Status;

namespace Cluster.Nodes;

/// <summary>The cluster as this process sees it; a singleton of its host. Properties answer from memory and never wait;
/// all members are safe for concurrent use.</summary>
public interface ICluster
{
    /// <summary>This process: its configured name, and an incarnation that is new at each start.</summary>
    NodeId Self { get; }

    /// <summary>What part it plays.</summary>
    ClusterRole Role { get; }

    /// <summary>The cluster as this process knows it now; version 0 before the host has started.</summary>
    ClusterSnapshot Snapshot { get; }

    /// <summary>The nodes of <see cref="Snapshot"/>.</summary>
    IReadOnlyList<NodeDescription> Nodes { get; }

    /// <summary>Who owns a key, or null while nobody does.</summary>
    /// <typeparam name="TKey">The state's key type.</typeparam>
    /// <param name="state">The state's name.</param>
    /// <param name="key">The key.</param>
    /// <exception cref="ArgumentException">No state of this name and key type is added here.</exception>
    NodeDescription? OwnerOf<TKey>(string state, TKey key)
        where TKey : notnull;

    /// <summary>The partition that a key belongs to; it never changes in the life of a cluster.</summary>
    /// <typeparam name="TKey">The state's key type.</typeparam>
    /// <param name="state">The state's name.</param>
    /// <param name="key">The key.</param>
    /// <exception cref="ArgumentException">No state of this name and key type is added here.</exception>
    /// <exception cref="InvalidOperationException">No node has joined yet that has the state.</exception>
    PartitionId PartitionOf<TKey>(string state, TKey key)
        where TKey : notnull;

    /// <summary>What happens from now on. A reader that falls behind by more than 1,024 events loses the oldest
    /// ones.</summary>
    /// <param name="cancellationToken">Ends the sequence.</param>
    IAsyncEnumerable<ClusterEvent> WatchAsync(CancellationToken cancellationToken = default);

    /// <summary>Asks a node for its figures.</summary>
    /// <param name="node">The node.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="GlueException">It cannot be reached.</exception>
    ValueTask<NodeStatus> GetStatusAsync(NodeId node, CancellationToken cancellationToken = default);

    /// <summary>Hands all partitions of this node to others and takes no new ones, as a stopping host does by itself.
    /// Returns when the node owns nothing more, or after <see cref="ClusterOptions.DrainTimeout"/>. Does nothing in a
    /// client.</summary>
    /// <param name="cancellationToken">Ends the wait; the drain goes on.</param>
    /// <returns>Whether everything was handed over.</returns>
    Task<bool> DrainAsync(CancellationToken cancellationToken = default);
}
