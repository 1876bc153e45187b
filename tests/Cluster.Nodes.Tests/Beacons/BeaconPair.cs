using Cluster.Glue;
using Cluster.Glue.Tls;
using Cluster.Nodes.Liveness;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Tests.Beacons;

/// <summary>Two nodes that exchange beacons, and what they need.</summary>
internal sealed class BeaconPair : IDisposable
{
    private readonly List<IDisposable> _owned = [];

    private BeaconPair(GlueTlsOptions? tls, Func<LivenessGuard?> makeGuard, IDisposable[] owned)
    {
        _owned.AddRange(owned);
        var client = new GlueClient(new GlueClientOptions { Tls = tls });
        First = new BeaconPeer(1, Logs, client, makeGuard());
        Second = new BeaconPeer(2, Logs, client, makeGuard());
        Client = client;
    }

    public LogRecorder Logs { get; } = new();

    public GlueClient Client { get; }

    public BeaconPeer First { get; }

    public BeaconPeer Second { get; }

    public static BeaconPair Open() => new(null, () => null, []);

    /// <summary>Opens nodes that ask each other for certificates.</summary>
    public static BeaconPair OpenEncrypted()
    {
        var authority = GlueCertificates.CreateForDevelopment();
        var tls = new GlueTlsOptions
        {
            Certificate = authority.Create("localhost", "127.0.0.1"),
            ClientCertificate = GlueClientCertificate.Required,
        };
        tls.Authorities.Add(authority.Authority);
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddMetrics();
        builder.Services.AddGlueServer(options => options.Tls = tls);
        var host = builder.Build();
        return new BeaconPair(
            tls, () => new LivenessGuard(host.Services.GetRequiredService<GlueListener>()), [host, authority]);
    }

    public void Dispose()
    {
        First.Dispose();
        Second.Dispose();
        foreach (var one in _owned)
            one.Dispose();
        Logs.Dispose();
    }
}
