using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Hosting;

/// <summary>Hands the requests of a Kestrel without a web host to endpoints. Stateless.</summary>
/// <param name="pipeline">The endpoints, behind their routing.</param>
/// <param name="scopes">Where requests get their services from.</param>
internal sealed class EndpointApplication(RequestDelegate pipeline, IServiceScopeFactory scopes)
    : IHttpApplication<HttpContext>
{
    public HttpContext CreateContext(IFeatureCollection contextFeatures)
        => new DefaultHttpContext(contextFeatures) { ServiceScopeFactory = scopes };

    public Task ProcessRequestAsync(HttpContext context) => pipeline(context);

    public void DisposeContext(HttpContext context, Exception? exception)
    {
    }
}
