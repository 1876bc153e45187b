using Cluster.Glue.Endpoints;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;

namespace Cluster.Glue.Hosting;

/// <summary>Glue's gRPC service among the endpoints of a host. Each request passes Glue's bounds before gRPC reads it.
/// Immutable.</summary>
internal sealed class GlueEndpoints : IEndpointConventionBuilder
{
    private readonly IEndpointConventionBuilder[] _methods;

    private GlueEndpoints(params IEndpointConventionBuilder[] methods) => _methods = methods;

    public static GlueEndpoints Map(IEndpointRouteBuilder endpoints, GlueEndpoint endpoint)
    {
        var mapped = new GlueEndpoints(
            endpoints.MapGrpcService<LinkService>(), endpoints.MapGrpcService<CallService>());
        mapped.Add(one =>
        {
            if (one.RequestDelegate is { } next)
                one.RequestDelegate = context => endpoint.HandleAsync(context, next);
        });
        return mapped;
    }

    public void Add(Action<EndpointBuilder> convention)
    {
        foreach (var method in _methods)
            method.Add(convention);
    }

    public void Finally(Action<EndpointBuilder> finallyConvention)
    {
        foreach (var method in _methods)
            method.Finally(finallyConvention);
    }
}
