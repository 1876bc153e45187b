using Cluster.Nodes;
using Grpc.Core;
using GrpcDiscovery.Generated;
using Microsoft.Extensions.Options;

namespace GrpcDiscovery;

/// <summary>An ordinary gRPC service.</summary>
/// <param name="node">The options of the node on which it runs.</param>
public sealed class GreeterService(IOptions<ClusterOptions> node) : Greeter.GreeterBase
{
    /// <inheritdoc />
    public override Task<GreetReply> Greet(GreetRequest request, ServerCallContext context)
    {
        ArgumentNullException.ThrowIfNull(request);
        return Task.FromResult(new GreetReply { Text = $"Hello {request.Name}, says {node.Value.NodeName}." });
    }
}
