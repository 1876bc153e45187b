namespace Cluster.Nodes.Recovery;

/// <summary>Tells other nodes which table a node has and how it finds the cluster store. The nodes ask each other when
/// the store has lost the cluster.</summary>
public interface ITableReports
{
    /// <summary>What this node knows now.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<TableReport> GetAsync(CancellationToken cancellationToken);
}
