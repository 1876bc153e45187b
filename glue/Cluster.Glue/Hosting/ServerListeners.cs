using System.Net.Sockets;
using Cluster.Glue.Endpoints;
using Cluster.Glue.Sessions;
using Cluster.Glue.Tls;
using Cluster.Glue.Wire;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Hosting;

/// <summary>The Kestrels of a server behind a <see cref="GlueListener"/>, and the certificate that they show. The host
/// starts and stops them, one after the other.</summary>
internal sealed class ServerListeners
{
    private readonly ServerRuntime _server;
    private readonly GlueEndpoint _endpoint;
    private readonly IServiceProvider _services;
    private readonly ILoggerFactory _loggerFactory;
    private readonly List<ListeningKestrel> _kestrels = [];
    private readonly Lazy<ServerTls> _tls;
    private readonly Lazy<SideHandshakes> _sideHandshakes;
    private CertificateWatch? _certificateWatch;

    public ServerListeners(ServerRuntime server, GlueEndpoint endpoint, IServiceProvider services)
    {
        _server = server;
        _endpoint = endpoint;
        _services = services;
        _loggerFactory = services.GetRequiredService<ILoggerFactory>();
        _tls = new Lazy<ServerTls>(CreateTls);
        _sideHandshakes = new Lazy<SideHandshakes>(() => new SideHandshakes(_tls.Value, _server));
    }

    public string? Address { get; private set; }

    public string? PeerAddress { get; private set; }

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        if (_server.Settings.ListenAddress is { } text)
            Address = await ListenAsync(text, isForPeers: false, cancellationToken).ConfigureAwait(false);
        if (_server.Settings.PeerListenAddress is { } peers)
            PeerAddress = await ListenAsync(peers, isForPeers: true, cancellationToken).ConfigureAwait(false);
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        if (_certificateWatch is { } watch)
            await watch.DisposeAsync().ConfigureAwait(false);
        if (_kestrels.Count == 0)
            return;
        ListeningKestrel[] kestrels = [.. _kestrels];
        _kestrels.Clear();
        await _server.DrainAsync().ConfigureAwait(false);
        await Task.WhenAll(kestrels.Select(kestrel => kestrel.StopAsync(cancellationToken))).ConfigureAwait(false);
        foreach (var kestrel in kestrels)
            await kestrel.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Makes a TLS handshake on a connection that another port of the program has accepted.</summary>
    public ValueTask<Stream> AuthenticateAsync(
        Stream connection, string from, GlueAudience audience, CancellationToken cancellationToken) =>
        _sideHandshakes.Value.AuthenticateAsync(connection, from, audience, cancellationToken);

    private async Task<string> ListenAsync(string text, bool isForPeers, CancellationToken cancellationToken)
    {
        var option = isForPeers ? "Glue:Server:PeerListenAddress" : "Glue:Server:ListenAddress";
        if (!ListenAddress.TryParse(text, out var address))
            throw new GlueListenException($"{option} '{text}' is no address to listen on; use http://ip:port or "
                + "https://ip:port, such as http://localhost:5101, or unix:///path.", null);
        if (address.Path is { } socket)
            UnixSocketFile.Prepare(socket, option);
        var kestrel = ListeningKestrel.Create(
            address, _server, _loggerFactory, isForPeers, address.IsTls ? _tls.Value : null);
        try
        {
            var application = new EndpointApplication(
                CreatePipeline(isForPeers), _services.GetRequiredService<IServiceScopeFactory>());
            await kestrel.StartAsync(application, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is IOException or SocketException or AddressInUseException)
        {
            await kestrel.DisposeAsync().ConfigureAwait(false);
            throw new GlueListenException(Explain(text, option, exception), exception);
        }

        _kestrels.Add(kestrel);
        var bound = address.Path is null
            ? $"{(address.IsTls ? "https" : "http")}://{HostOf(address)}:{kestrel.Port}"
            : text;
        _server.Log.Listening(bound);
        return bound;
    }

    private static string HostOf(ListenAddress address) =>
        address.Ip.Equals(IPAddress.Any) ? Dns.GetHostName() : address.Host;

    private static string Explain(string address, string option, Exception exception)
    {
        for (var one = exception; one is not null; one = one.InnerException)
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
        application.Use(next => context => RunQuietlyAsync(context, next));
        UseSecurity(application);
        application.UseEndpoints(endpoints =>
        {
            GlueEndpoints.Map(endpoints, _endpoint);
            if (isForPeers)
                return;
            endpoints.MapGrpcHealthChecksService();
            foreach (var more in _services.GetServices<ListenerEndpoints>())
                more.Map(endpoints);
        });
        return application.Build();
    }

    // For the program's own endpoints. Glue authorizes by itself, when it knows which method is called.
    private void UseSecurity(ApplicationBuilder application)
    {
        if (_services.GetService<IAuthenticationSchemeProvider>() is not null)
            application.UseAuthentication();
        if (_services.GetService<IAuthorizationHandlerProvider>() is not null)
            application.UseAuthorization();
    }

    // ASP.NET Core writes two log lines for each endpoint that it runs. Only Glue's own endpoints run without them: of
    // others it checks the requirements.
    private static Task RunQuietlyAsync(HttpContext context, RequestDelegate next) =>
        context.Request.Path.StartsWithSegments(GlueWire.ServicePath, StringComparison.Ordinal)
            && context.GetEndpoint()?.RequestDelegate is { } run
                ? run(context)
                : next(context);

    private ServerTls CreateTls()
    {
        var options = _server.Settings.Tls ?? throw new GlueListenException(
            "Glue:Server:Tls is not set; give the certificate that this server shows.", null);
        try
        {
            var certificates = new CertificateStore(options, _server.Settings.Time, _loggerFactory);
            _certificateWatch = certificates.Watch(_server.RenewLinks);
            return new ServerTls(certificates, options.ClientCertificate);
        }
        catch (CertificateException problem)
        {
            throw new GlueListenException($"Glue:Server: {problem.Message}", problem);
        }
    }
}
