using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Benchmarks.Glue;

/// <summary>A client of Orleans in this process and its silo in another. Owned by one row.</summary>
internal sealed class OrleansSide : IDisposable
{
    private readonly ChildPeer _silo;
    private readonly IHost _host;

    public OrleansSide()
    {
        _silo = ChildPeer.Start(OrleansSilo.Argument);
        var port = int.Parse(_silo.FirstLine, CultureInfo.InvariantCulture);
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.UseOrleansClient(client => client.UseLocalhostClustering(port));
        _host = builder.Build();
        _host.Start();
        Grain = _host.Services.GetRequiredService<IClusterClient>().GetGrain<IAdderGrain>(0);
    }

    public IAdderGrain Grain { get; }

    public void Dispose()
    {
        _host.StopAsync().GetAwaiter().GetResult();
        _host.Dispose();
        _silo.Dispose();
    }
}
