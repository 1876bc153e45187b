using Cluster.Nodes.Configuration;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Stores;

namespace Cluster.Nodes.Members;

/// <summary>Keeps this node's registration in the store alive. The registration is only a hint for the coordinator: a
/// failed heartbeat stops nothing. Owned by the lifecycle, which starts and stops it.</summary>
internal sealed class NodeHeartbeat : IAsyncDisposable
{
    private static readonly LoopPace Pace = new(
        TimeSpan.FromSeconds(1), TimeSpan.FromMilliseconds(500), TimeSpan.FromSeconds(4));

    private readonly INodeRegistration _registration;
    private readonly BackgroundLoop _loop;

    private NodeHeartbeat(INodeRegistration registration, LoopContext loops)
    {
        _registration = registration;
        _loop = new BackgroundLoop("Beating in the cluster store", Pace, loops, registration.BeatAsync);
    }

    public string? Failure => _loop.Failure;

    /// <summary>Registers the node and begins the heartbeats.</summary>
    public static async Task<NodeHeartbeat> StartAsync(
        IClusterStore store, NodeIdentity self, string address,
        LoopContext loops, CancellationToken cancellationToken)
    {
        var registration = await StoreQuestion.AskAsync(
            token => store.RegisterAsync(self.Node, address, token), loops.Time, cancellationToken)
            .ConfigureAwait(false);
        var heartbeat = new NodeHeartbeat(registration, loops);
        heartbeat._loop.Start();
        return heartbeat;
    }

    /// <summary>Stops the heartbeats and withdraws the registration.</summary>
    public async ValueTask DisposeAsync()
    {
        await _loop.DisposeAsync().ConfigureAwait(false);
        try
        {
            await _registration.DisposeAsync().ConfigureAwait(false);
        }
        catch (ClusterStoreException)
        {
            // The store does not answer; it forgets this node by itself.
        }
    }
}
