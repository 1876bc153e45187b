using Cluster.Glue.Tests.Semantics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests;

/// <summary>A host with a Glue server and the semantic services, for one test.</summary>
internal sealed class GlueHost : IAsyncDisposable
{
    private readonly IHost _host;

    private GlueHost(IHost host) => _host = host;

    public IServiceProvider Services => _host.Services;

    public string Address => Services.GetRequiredService<GlueListener>().Address!;

    public static async Task<GlueHost> StartAsync(
        Action<GlueServerOptions>? configure = null, Action<GlueServerBuilder>? addServices = null)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Services.AddLogging(logging => logging.ClearProviders());
        var glue = builder.Services.AddGlueServer(options =>
        {
            options.ListenAddress = "http://127.0.0.1:0";
            options.ResumeWindow = TimeSpan.FromMinutes(1);
            // However busy the machine is.
            options.MaxQueueDelay = TimeSpan.FromMinutes(1);
            options.ConfigureTypes = AllowTypes;
            configure?.Invoke(options);
        });
        (addServices ?? AddSemanticServices)(glue);
        var host = builder.Build();
        await host.StartAsync();
        return new GlueHost(host);
    }

    public static void AllowTypes(Slim.SlimOptions types) =>
        types.Allow<INamed>().Allow<Dog>().Allow<Cat>().Allow<ShopException>().Allow<InvalidOperationException>()
            .Allow<ArgumentOutOfRangeException>();

    public static void AddSemanticServices(GlueServerBuilder glue)
    {
        glue.Services.AddSingleton<Observations>().AddSingleton<Downstream>();
        glue.Services.AddScoped<StreamScope>();
        glue.AddService<IStreams, StreamService>()
            .AddService<IStreamMatrix, StreamMatrix>()
            .AddService<IHub, Hub>(GlueInstanceMode.Singleton)
            .AddService<IShapes, Shapes>()
            .AddService<IOverloads, Overloads>()
            .AddService<IBox<int>, Box<int>>()
            .AddService<IBox<string>, Box<string>>()
            .AddService<IDiamond, Diamond>()
            .AddService<IHidden, Hidden>()
            .AddService<IGraphs, Graphs>()
            .AddService<IFailures, Failures>()
            .AddService<ITiming, Timing>()
            .AddService<ICounter, Counter>()
            .AddService<ISharedCounter, SharedCounter>(GlueInstanceMode.Singleton);
    }

    public Task StopAsync() => _host.StopAsync();

    public async ValueTask DisposeAsync()
    {
        await _host.StopAsync();
        _host.Dispose();
    }
}
