namespace Cluster.Nodes.Stores;

/// <summary>The messages that all stores share, so that one search in the documentation finds them.</summary>
internal static class StoreErrors
{
    /// <summary>The error for an operation that needs a table where there is none.</summary>
    /// <param name="description">The store, as it describes itself.</param>
    public static ClusterStoreException NotBootstrapped(string description) => new(
        ClusterStoreError.Unusable,
        $"The {description} holds no cluster yet. Start one node with Cluster:Bootstrap = true, or correct the place.");

    /// <summary>The error for a store that has lost what this process has read from it before.</summary>
    /// <param name="description">The store, as it describes itself.</param>
    public static ClusterStoreException Emptied(string description) => new(
        ClusterStoreError.Emptied,
        $"The {description} holds no cluster any more: somebody has removed what this process has read there. Leave "
        + "the nodes running, because they can write it again. Docs/operations.md, 'The store was emptied', says what "
        + "to do if they do not.");

    /// <summary>The error for a store whose table is older than what it has answered before.</summary>
    /// <param name="description">The store, as it describes itself.</param>
    /// <param name="known">The version that this process has read before.</param>
    /// <param name="found">The version that the store holds now.</param>
    public static ClusterStoreException WentBack(string description, long known, long found) => new(
        ClusterStoreError.Incompatible,
        $"The {description} holds table {found}, but this process has read table {known} from it before. The store was "
        + "put back to an older state. Restore the newer state, or stop all nodes of this cluster and start them "
        + "again.");

    /// <summary>The error for a node that wants to coordinate without having announced itself.</summary>
    /// <param name="node">The node.</param>
    public static InvalidOperationException NotRegistered(NodeId node) => new(
        $"Node {node} must register with this store before it can become the coordinator.");

    /// <summary>The error for a second announcement of the same life.</summary>
    /// <param name="node">The node.</param>
    public static InvalidOperationException AlreadyRegistered(NodeId node) => new(
        $"Node {node} has been registered before. Each life of a node needs a new incarnation.");

    /// <summary>The error for a lease that another store handed out.</summary>
    /// <param name="parameter">The parameter's name.</param>
    public static ArgumentException ForeignLease(string parameter) =>
        new("The coordinator lease comes from another store.", parameter);
}
