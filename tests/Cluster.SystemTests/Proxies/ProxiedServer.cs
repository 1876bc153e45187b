using Cluster.Glue;
using Cluster.SystemTests.Interop;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.SystemTests.Proxies;

/// <summary>A Glue server behind a proxy, on a loopback port. Owned by one test.</summary>
internal sealed class ProxiedServer : IAsyncDisposable
{
    private readonly IHost _host;

    private ProxiedServer(IHost host) => _host = host;

    public ProxiedService Service => _host.Services.GetRequiredService<ProxiedService>();

    public int Port => new Uri(_host.Services.GetRequiredService<GlueListener>().Address!).Port;

    public static async Task<ProxiedServer> StartAsync(Action<GlueServerOptions>? configure = null)
    {
        var builder
            = Microsoft.Extensions.Hosting.Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<ProxiedService>();
        builder.Services
            .AddGlueServer(options =>
            {
                options.ListenAddress = "http://127.0.0.1:0";
                options.ResumeWindow = TimeSpan.FromMinutes(1);
                options.MaxQueueDelay = TimeSpan.FromMinutes(1);
                options.DrainTimeout = TimeSpan.FromMilliseconds(100);
                configure?.Invoke(options);
            })
            .AddService<IProxied, ProxiedService>(GlueInstanceMode.Singleton)
            .AddService<IInterop, InteropService>(GlueInstanceMode.Singleton);
        var host = builder.Build();
        await host.StartAsync();
        return new ProxiedServer(host);
    }

    public async ValueTask DisposeAsync()
    {
        await _host.StopAsync();
        _host.Dispose();
    }
}
