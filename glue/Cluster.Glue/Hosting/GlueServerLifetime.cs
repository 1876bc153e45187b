using Cluster.Glue.Channels;
using Cluster.Glue.Sessions;
using Microsoft.Extensions.Hosting;

namespace Cluster.Glue.Hosting;

/// <summary>Ties the server to its host: opens the in-process binding, checks the mapped endpoints once the host is up,
/// and drains links on the host's Kestrel as soon as the host stops, because Kestrel would wait for open streams until
/// its time limit.</summary>
internal sealed class GlueServerLifetime(
    ServerRuntime server, MappedEndpoints mapped, IHostApplicationLifetime lifetime) : IHostedLifecycleService
{
    private CancellationTokenRegistration _stopping;

    public async Task StartingAsync(CancellationToken cancellationToken)
    {
        await server.Host.PrepareAccessAsync().ConfigureAwait(false);
        if (server.Settings.InProcessName is { } name)
            InProcessServers.Add(name, server);
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StartedAsync(CancellationToken cancellationToken)
    {
        CheckUse();
        if (!mapped.IsMapped)
            return;
        await mapped.CheckAsync(server.Settings, cancellationToken).ConfigureAwait(false);
        _stopping = lifetime.ApplicationStopping.Register(() => _ = server.DrainAsync());
    }

    private void CheckUse()
    {
        var hasServices = server.Host.Catalog.Contracts.Any();
        var isReachable = mapped.IsMapped || server.Settings is { ListenAddress: not null }
            or { PeerListenAddress: not null } or { InProcessName: not null };
        if (!hasServices)
            server.Log.NoServices();
        else if (!isReachable)
        {
            throw new InvalidOperationException(
                "The Glue server of this host has services, and nobody can reach it. Set Glue:Server:ListenAddress "
                + "(such as http://localhost:5101), call app.MapGlue(), or set Glue:Server:InProcessName.");
        }
    }

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        if (server.Settings.InProcessName is { } name)
            InProcessServers.Remove(name, server);
        await server.DrainAsync().ConfigureAwait(false);
    }

    public async Task StoppedAsync(CancellationToken cancellationToken) =>
        await _stopping.DisposeAsync().ConfigureAwait(false);
}
