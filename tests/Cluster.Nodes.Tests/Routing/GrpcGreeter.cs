using Cluster.Nodes.Tests.Clusters;
using Cluster.Nodes.Tests.Routing.Generated;
using Google.Protobuf.WellKnownTypes;
using Grpc.Core;

namespace Cluster.Nodes.Tests.Routing;

/// <summary>Answers with the name of its node.</summary>
internal sealed class GrpcGreeter(GreeterName name) : NodeGreeter.NodeGreeterBase
{
    public override Task<StringValue> WhoAreYou(Empty request, ServerCallContext context) =>
        Task.FromResult(new StringValue { Value = name.Value });
}
