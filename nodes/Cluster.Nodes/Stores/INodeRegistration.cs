namespace Cluster.Nodes.Stores;

/// <summary>A node's announcement in the store; disposing it withdraws the announcement.</summary>
public interface INodeRegistration : IAsyncDisposable
{
    /// <summary>Says that the node is alive; registers it again where the store has forgotten it.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask BeatAsync(CancellationToken cancellationToken);
}
