using Cluster.Glue.Endpoints;
using Cluster.Glue.Hosting;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Maps the Glue server into the endpoints of an ASP.NET Core host.</summary>
public static class GlueEndpointRouteBuilderExtensions
{
    /// <summary>Serves Glue on the host's own Kestrel, in addition to the other endpoints that the host maps. Start-up
    /// fails, with the remedy, when none of the host's endpoints speaks HTTP/2.</summary>
    /// <param name="endpoints">The host's endpoints.</param>
    /// <returns>Takes conventions for Glue's endpoints, such as <c>RequireAuthorization</c>.</returns>
    /// <exception cref="InvalidOperationException"><c>AddGlueServer</c> was not called.</exception>
    public static IEndpointConventionBuilder MapGlue(this IEndpointRouteBuilder endpoints)
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        var services = endpoints.ServiceProvider;
        var mapped = services.GetService<MappedEndpoints>()
            ?? throw new InvalidOperationException(
                "MapGlue needs a server: call builder.Services.AddGlueServer() before the application is built.");
        mapped.IsMapped = true;
        return GlueEndpoints.Map(endpoints, services.GetRequiredService<GlueEndpoint>());
    }
}
