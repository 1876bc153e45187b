using Cluster.Glue.Serving;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Cluster.Glue.Hosting;

/// <summary>Hands the requests of a Kestrel without a web host to the Glue endpoint. Stateless.</summary>
internal sealed class EndpointApplication(GlueEndpoint endpoint) : IHttpApplication<HttpContext>
{
    public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

    public Task ProcessRequestAsync(HttpContext context) => endpoint.HandleAsync(context);

    public void DisposeContext(HttpContext context, Exception? exception)
    {
    }
}
