using Cluster.Glue.Transport;
using Grpc.AspNetCore.Server.Model;

namespace Cluster.Glue.Endpoints;

/// <summary>Describes the methods of Glue's service to gRPC's server, because no generated code does.
/// Stateless.</summary>
internal sealed class GlueMethods : IServiceMethodProvider<LinkService>, IServiceMethodProvider<CallService>
{
    public void OnServiceMethodDiscovery(ServiceMethodProviderContext<LinkService> context) =>
        context.AddDuplexStreamingMethod(
            GrpcMethods.Link,
            [],
            static (service, requests, responses, call) => service.CarryAsync(requests, responses, call));

    public void OnServiceMethodDiscovery(ServiceMethodProviderContext<CallService> context) =>
        context.AddUnaryMethod(
            GrpcMethods.Call, [], static (service, request, call) => service.CallAsync(request, call));
}
