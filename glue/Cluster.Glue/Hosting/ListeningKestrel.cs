using Cluster.Glue.Endpoints;
using Cluster.Glue.Sessions;
using Cluster.Glue.Settings;
using Cluster.Glue.Tls;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Hosting;

/// <summary>One listener: a Kestrel of its own that speaks HTTP/2 only, with TLS or without. It is taken from a web
/// host that is never started, because Kestrel cannot be created with TLS otherwise.</summary>
internal sealed class ListeningKestrel : IAsyncDisposable
{
    private readonly WebApplication _parts;
    private readonly IServer _kestrel;

    private ListeningKestrel(WebApplication parts)
    {
        _parts = parts;
        _kestrel = parts.Services.GetRequiredService<IServer>();
    }

    /// <summary>The port that was bound.</summary>
    public int Port
    {
        get
        {
            var bound = _kestrel.Features.Get<IServerAddressesFeature>()!.Addresses.First();
            return new Uri(bound.Replace("[::]", "localhost", StringComparison.Ordinal)).Port;
        }
    }

    /// <summary>Creates a listener; it listens when it is started.</summary>
    /// <param name="address">The address to bind.</param>
    /// <param name="server">The server behind it.</param>
    /// <param name="loggerFactory">For Kestrel's log.</param>
    /// <param name="isForPeers">Whether its connections are those of peers.</param>
    /// <param name="tls">The certificates of an https listener.</param>
    public static ListeningKestrel Create(
        ListenAddress address, ServerRuntime server, ILoggerFactory loggerFactory, bool isForPeers, ServerTls? tls)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.Services.AddSingleton(loggerFactory);
        builder.WebHost.UseKestrelCore().ConfigureKestrel(options =>
        {
            SetLimits(options, server.Settings);
            // A proxy that ends TLS forwards requests for https addresses. Kestrel would reset their streams.
            options.AllowAlternateSchemes = tls is null;
            var bound = new ConnectionBound(server.Settings, server.Log);
            if (address.Path is { } path)
                options.ListenUnixSocket(path, Configure);
            else
                options.Listen(address.Ip, address.Port, Configure);

            void Configure(ListenOptions endpoint)
            {
                endpoint.Protocols = HttpProtocols.Http2;
                endpoint.Use(bound.Around);
                if (isForPeers)
                    endpoint.Use(PeerEntrance.Mark);
                if (tls is not null)
                    endpoint.UseHttps(tls.ToCallback(server.Settings.HandshakeTimeout));
            }
        });
        return new ListeningKestrel(builder.Build());
    }

    public Task StartAsync(EndpointApplication application, CancellationToken cancellationToken) =>
        _kestrel.StartAsync(application, cancellationToken);

    public Task StopAsync(CancellationToken cancellationToken) => _kestrel.StopAsync(cancellationToken);

    /// <summary>Frees the Kestrel with the host that it was taken from.</summary>
    public ValueTask DisposeAsync() => _parts.DisposeAsync();

    private static void SetLimits(KestrelServerOptions options, ServerSettings settings)
    {
        options.AddServerHeader = false;
        options.Limits.MaxRequestBodySize = null;
        options.Limits.MinRequestBodyDataRate = null;
        options.Limits.MinResponseDataRate = null;
        options.Limits.Http2.InitialStreamWindowSize = settings.WindowBytes;
        options.Limits.Http2.InitialConnectionWindowSize = settings.WindowBytes;
    }
}
