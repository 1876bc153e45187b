using Grpc.Net.Client;
using Grpc.Net.Client.Balancer;

namespace Cluster.Nodes.Tests.Routing;

/// <summary>Makes a load balancer that disposes its channel while the channel passes it new addresses.</summary>
internal sealed class DisposingBalancerFactory : LoadBalancerFactory
{
    private readonly TaskCompletionSource<Exception> _refusal = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <inheritdoc />
    public override string Name => "disposing";

    /// <summary>The channel to dispose.</summary>
    public GrpcChannel? Channel { get; set; }

    /// <summary>The exception that the channel's resolver throws if it is asked for addresses after the channel's
    /// end.</summary>
    public Task<Exception> Refusal => _refusal.Task;

    /// <inheritdoc />
    public override LoadBalancer Create(LoadBalancerOptions options) => new Balancer(this, options.Controller);

    private sealed class Balancer(DisposingBalancerFactory factory, IChannelControlHelper controller) : LoadBalancer
    {
        public override void RequestConnection()
        {
        }

        public override void UpdateChannelState(ChannelState state)
        {
            factory.Channel!.Dispose();
            try
            {
                controller.RefreshResolver();
            }
            catch (Exception refusal)
            {
                factory._refusal.TrySetResult(refusal);
                throw;
            }
        }
    }
}
