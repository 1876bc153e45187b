using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Maps Glue into an application.</summary>
internal static class MappedServer
{
    public static WebApplication Build(WebApplicationBuilder builder)
    {
        builder.Services.AddGlueServer();
        var app = builder.Build();
        app.MapGlue();
        return app;
    }
}
