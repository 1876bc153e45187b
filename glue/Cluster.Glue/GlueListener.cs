using System.Net;
using System.Net.Sockets;
using Cluster.Glue.Hosting;
using Cluster.Glue.Serving;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Cluster.Glue;

/// <summary>
/// The listeners of its own that a server opens when <see cref="GlueServerOptions.ListenAddress"/> or
/// <see cref="GlueServerOptions.PeerListenAddress"/> is set: Kestrels that speak cleartext HTTP/2 only. A hosted
/// service: starts with the host, and on stop drains its links before it closes.
/// </summary>
public sealed class GlueListener : IHostedService
{
    private readonly ServerRuntime _server;
    private readonly GlueEndpoint _endpoint;
    private readonly IServiceProvider _services;
    private readonly ILoggerFactory _loggerFactory;
    private readonly List<KestrelServer> _kestrels = [];

    internal GlueListener(ServerRuntime server, GlueEndpoint endpoint, IServiceProvider services)
    {
        _server = server;
        _endpoint = endpoint;
        _services = services;
        _loggerFactory = services.GetRequiredService<ILoggerFactory>();
    }

    /// <summary>The bound address, with the real port; null before start and when no listen address is set.</summary>
    public string? Address { get; private set; }

    /// <summary>
    /// The bound address of the listener for peers, with the real port; null before start and when no
    /// <see cref="GlueServerOptions.PeerListenAddress"/> is set.
    /// </summary>
    public string? PeerAddress { get; private set; }

    /// <inheritdoc />
    /// <exception cref="GlueListenException">The address cannot be bound; the message says why and what to
    /// do.</exception>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        if (_server.Settings.ListenAddress is { } text)
            Address = await ListenAsync(text, isForPeers: false, cancellationToken).ConfigureAwait(false);
        if (_server.Settings.PeerListenAddress is { } peers)
            PeerAddress = await ListenAsync(peers, isForPeers: true, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc />
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        if (_kestrels.Count == 0)
            return;
        KestrelServer[] kestrels = [.. _kestrels];
        _kestrels.Clear();
        await _server.DrainAsync().ConfigureAwait(false);
        await Task.WhenAll(kestrels.Select(kestrel => kestrel.StopAsync(cancellationToken))).ConfigureAwait(false);
        foreach (KestrelServer kestrel in kestrels)
            kestrel.Dispose();
    }

    private async Task<string> ListenAsync(string text, bool isForPeers, CancellationToken cancellationToken)
    {
        string option = isForPeers ? "Glue:Server:PeerListenAddress" : "Glue:Server:ListenAddress";
        if (!ListenAddress.TryParse(text, out ListenAddress? address))
            throw new GlueListenException($"{option} '{text}' is no address to listen on; use http://ip:port, such as "
                + "http://localhost:5101, or unix:///path.", null);
        if (address.Path is { } socket)
            UnixSocketFile.Prepare(socket, option);
        KestrelServer kestrel = Create(address, isForPeers);
        try
        {
            var application = new EndpointApplication(
                CreatePipeline(isForPeers), _services.GetRequiredService<IServiceScopeFactory>());
            await kestrel.StartAsync(application, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is IOException or SocketException or AddressInUseException)
        {
            kestrel.Dispose();
            throw new GlueListenException(Explain(text, option, exception), exception);
        }

        _kestrels.Add(kestrel);
        string bound = address.Path is null ? TcpAddressOf(kestrel, address) : text;
        _server.Log.Listening(bound);
        return bound;
    }

    private static string TcpAddressOf(KestrelServer kestrel, ListenAddress address)
    {
        string bound = kestrel.Features.Get<IServerAddressesFeature>()!.Addresses.First();
        int port = new Uri(bound.Replace("[::]", "localhost", StringComparison.Ordinal)).Port;
        return $"http://{HostOf(address)}:{port}";
    }

    private static string HostOf(ListenAddress address)
        => address.Ip.Equals(IPAddress.Any) ? Dns.GetHostName() : address.Host;

    private static string Explain(string address, string option, Exception exception)
    {
        for (Exception? one = exception; one is not null; one = one.InnerException)
        {
            if (one is AddressInUseException or SocketException { SocketErrorCode: SocketError.AddressAlreadyInUse })
                return $"{address} is in use; free the port or set {option} to another.";
        }

        return $"{address} cannot be bound ({exception.Message}); "
            + $"set {option} to an address of this machine.";
    }

    private RequestDelegate CreatePipeline(bool isForPeers)
    {
        var application = new ApplicationBuilder(_services);
        application.UseRouting();
        application.UseEndpoints(endpoints =>
        {
            GlueEndpoints.Map(endpoints, _endpoint);
            if (isForPeers)
                return;
            endpoints.MapGrpcHealthChecksService();
            foreach (ListenerEndpoints more in _services.GetServices<ListenerEndpoints>())
                more.Map(endpoints);
        });
        return application.Build();
    }

    private KestrelServer Create(ListenAddress address, bool isForPeers)
    {
        var options = new KestrelServerOptions { AddServerHeader = false };
        var bound = new ConnectionBound(_server.Settings, _server.Log);
        if (address.Path is { } path)
            options.ListenUnixSocket(path, endpoint => Configure(endpoint, isForPeers, bound));
        else
            options.Listen(address.Ip, address.Port, endpoint => Configure(endpoint, isForPeers, bound));
        options.Limits.MaxRequestBodySize = null;
        options.Limits.MinRequestBodyDataRate = null;
        options.Limits.MinResponseDataRate = null;
        options.Limits.Http2.InitialStreamWindowSize = _server.Settings.WindowBytes;
        options.Limits.Http2.InitialConnectionWindowSize = _server.Settings.WindowBytes;
        var transport = new SocketTransportFactory(Options.Create(new SocketTransportOptions()), _loggerFactory);
        return new KestrelServer(Options.Create(options), transport, _loggerFactory);
    }

    private static void Configure(ListenOptions endpoint, bool isForPeers, ConnectionBound bound)
    {
        endpoint.Protocols = HttpProtocols.Http2;
        endpoint.Use(bound.Around);
        if (!isForPeers)
            return;
        endpoint.Use(next => connection =>
        {
            connection.Features.Set(PeerEntrance.Instance);
            return next(connection);
        });
    }
}
