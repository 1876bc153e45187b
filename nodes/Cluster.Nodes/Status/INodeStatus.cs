namespace Cluster.Nodes.Status;

/// <summary>Every node offers this to whoever shows or counts: command line, dashboard, coordinator.</summary>
public interface INodeStatus
{
    /// <summary>The node's figures now.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<NodeStatus> GetAsync(CancellationToken cancellationToken);
}
