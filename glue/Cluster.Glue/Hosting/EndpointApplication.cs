using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Abstractions;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Hosting;

/// <summary>Passes the requests of a Kestrel without a web host to endpoints. Reuses the context object of a request as
/// web hosts do. Stateless.</summary>
/// <param name="pipeline">The endpoints, after their routing.</param>
/// <param name="scopes">Creates the service scopes of requests.</param>
internal sealed class EndpointApplication(RequestDelegate pipeline, IServiceScopeFactory scopes)
    : IHttpApplication<DefaultHttpContext>
{
    public DefaultHttpContext CreateContext(IFeatureCollection contextFeatures)
    {
        var container = contextFeatures as IHostContextContainer<DefaultHttpContext>;
        var context = container?.HostContext ?? new DefaultHttpContext();
        if (container is not null)
            container.HostContext = context;
        context.Initialize(contextFeatures);
        context.ServiceScopeFactory = scopes;
        return context;
    }

    public Task ProcessRequestAsync(DefaultHttpContext context) => pipeline(context);

    public void DisposeContext(DefaultHttpContext context, Exception? exception) => context.Uninitialize();
}
