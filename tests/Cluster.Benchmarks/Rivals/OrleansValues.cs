using Cluster.Benchmarks.Glue;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Benchmarks.Rivals;

/// <summary>A client of Orleans in this process, and as many silos in others as our side has nodes. Disposal ends
/// them.</summary>
internal sealed class OrleansValues : IDisposable
{
    private readonly ChildPeer[] _silos;
    private readonly IHost _client;
    private readonly IGrainFactory _grains;

    public OrleansValues()
    {
        var ports = FreePorts.Take(2 * StateNode.NodeCount);
        string[] silos = [.. ports.Take(StateNode.NodeCount).Select(Text)];
        int[] gateways = [.. ports.Skip(StateNode.NodeCount)];

        // The first silo keeps the table of silos. One that does not find it waits for seconds before it looks again.
        var first = Start(0);
        var others = Enumerable.Range(1, StateNode.NodeCount - 1).Select(index => Task.Run(() => Start(index)));
        _silos = [first, .. Task.WhenAll(others).GetAwaiter().GetResult()];
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.UseOrleansClient(client => client.UseLocalhostClustering(gateways));
        _client = builder.Build();
        _client.Start();
        _grains = _client.Services.GetRequiredService<IClusterClient>();

        ChildPeer Start(int index) =>
            ChildPeer.Start(ValueSilo.Argument, silos[index], Text(gateways[index]), silos[0]);
    }

    public ValueTask<byte[]?> GetAsync(string key) => _grains.GetGrain<IValueGrain>(key).GetAsync();

    public ValueTask<bool> SetAsync(string key) => _grains.GetGrain<IValueGrain>(key).SetAsync(KeyedLoad.Value);

    public Task FillAsync() => KeyedLoad.FillAsync(SetAsync);

    public void Dispose()
    {
        _client.StopAsync().GetAwaiter().GetResult();
        _client.Dispose();
        foreach (var silo in _silos)
            silo.Dispose();
    }

    private static string Text(int port) => port.ToString(CultureInfo.InvariantCulture);
}
