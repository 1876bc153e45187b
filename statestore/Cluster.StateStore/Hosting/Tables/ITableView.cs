namespace Cluster.StateStore.Hosting.Tables;

/// <summary>A node's view of the cluster table, kept fresh by the runtime. Reading it never waits and never talks to
/// the network. <see cref="TableView"/> is the implementation; the interface is the border between this library and its
/// host.</summary>
public interface ITableView
{
    /// <summary>This node, or null in a process that only calls.</summary>
    NodeId? Self { get; }

    /// <summary>The newest whole table.</summary>
    ClusterTable Current { get; }

    /// <summary>The newest known route of a partition, which a redirect may have made newer than the table.</summary>
    /// <param name="partition">The partition.</param>
    PartitionRoute RouteOf(PartitionId partition);

    /// <summary>Waits for a table newer than a version.</summary>
    /// <param name="version">The version that the caller has.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<ClusterTable> WaitForNewerAsync(long version, CancellationToken cancellationToken);

    /// <summary>Takes note of a partition's newer entry that a peer told; an entry that is not newer is
    /// ignored.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="route">What the peer told.</param>
    /// <param name="tableVersion">The version of the peer's table.</param>
    void Suggest(PartitionId partition, PartitionRoute route, long tableVersion);
}
