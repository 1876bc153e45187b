namespace Cluster.Nodes.Status;

/// <summary>Tells the figures of a node. The command line, the dashboard and the coordinator ask for them.</summary>
public interface INodeStatus
{
    /// <summary>The node's figures now.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<NodeStatus> GetAsync(CancellationToken cancellationToken);
}
