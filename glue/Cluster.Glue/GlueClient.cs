using System.Collections.Concurrent;
using System.Net.Security;
using System.Security.Authentication;
using Cluster.Glue.Channels;
using Cluster.Glue.Client;
using Cluster.Glue.Emission;
using Cluster.Glue.Filters;
using Cluster.Glue.Resilience;
using Cluster.Glue.Routes;
using Cluster.Glue.Serving;
using Cluster.Glue.Sessions;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;
using Cluster.Glue.Tls;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue;

/// <summary>
/// Makes proxies for contracts and owns the links beneath them: one per address, opened at the first call and
/// reopened after a loss. Thread-safe; proxies live as long as the client.
/// </summary>
public sealed class GlueClient : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly ClientSettings _settings;
    private readonly FilterLevels _filters;
    private readonly ClientTls? _tls;
    private readonly GrpcChannels _grpc;
    private readonly IMessageConnector _connector;
    private readonly ClientContracts _contracts;
    private readonly CallHost _callbacks;
    private readonly ConcurrentDictionary<string, ICallChannel> _channels = new(StringComparer.Ordinal);
    private readonly CertificateWatch? _certificateWatch;
    private bool _isDisposed;

    /// <summary>Creates a client with default options.</summary>
    public GlueClient()
        : this(new GlueClientOptions())
    {
    }

    /// <summary>Creates a client.</summary>
    /// <param name="options">Copied here.</param>
    /// <exception cref="ArgumentException">Values are invalid; the message names all of them.</exception>
    public GlueClient(GlueClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        var problems = GlueClientOptionsValidator.ProblemsOf(options).ToArray();
        if (problems.Length > 0)
            throw new ArgumentException(string.Join(Environment.NewLine, problems), nameof(options));
        _settings = new ClientSettings(options);
        _filters = new FilterLevels(options.FilterOptions, options.Services);
        _contracts = new ClientContracts(_settings);
        _callbacks = CallHost.ForCallbacks(_contracts);
        var certificates = CertificatesOf(_settings);
        _tls = certificates is null ? null : new ClientTls(certificates, _settings.Tls!.ServerName);
        _grpc = new GrpcChannels(_settings.ConnectTimeout, _settings.WindowBytes, _settings.Compression, _tls);
        _certificateWatch = certificates?.Watch(RenewLinks);
        var connector = new GrpcConnector(_grpc, _settings.Tokens);
        _connector = options.WrapConnector?.Invoke(connector) ?? connector;
    }

    /// <summary>The links that are open, or were at last.</summary>
    internal IEnumerable<Link> Links =>
        _channels.Values.OfType<LinkChannel>().Select(channel => channel.Link).OfType<Link>();

    /// <summary>Makes a proxy bound to one address through a client of its own, for programs without a host.</summary>
    /// <typeparam name="TContract">A plain interface.</typeparam>
    /// <param name="address"><c>http://host:port</c>, <c>https://host:port</c>, <c>unix:///path</c> or
    /// <c>inproc://name</c>.</param>
    /// <param name="options">Null: defaults.</param>
    /// <param name="proxy">What the proxy has of its own; null: nothing.</param>
    public static TContract Connect<TContract>(
        string address, GlueClientOptions? options = null, GlueProxyOptions? proxy = null)
        where TContract : class =>
        new GlueClient(options ?? new GlueClientOptions()).CreateProxy<TContract>(address, proxy);

    /// <summary>Makes a proxy bound to one address. Nothing is connected until the first call.</summary>
    /// <typeparam name="TContract">A plain interface.</typeparam>
    /// <param name="address"><c>http://host:port</c>, <c>https://host:port</c>, <c>unix:///path</c> or
    /// <c>inproc://name</c>.</param>
    /// <param name="options">What the proxy has of its own; null: nothing.</param>
    /// <exception cref="NotSupportedException">The contract has a member that cannot be called remotely; it is
    /// named.</exception>
    public TContract CreateProxy<TContract>(string address, GlueProxyOptions? options = null)
        where TContract : class
    {
        ArgumentNullException.ThrowIfNull(address);
        return Create<TContract>(new FixedRoute(_settings, ChannelOf(address)), options);
    }

    /// <summary>Makes a proxy that asks a selector for the address of each call.</summary>
    /// <typeparam name="TContract">A plain interface.</typeparam>
    /// <param name="selector">Answers from memory; see <see cref="IGlueEndpointSelector"/>.</param>
    /// <param name="options">What the proxy has of its own; null: nothing.</param>
    /// <exception cref="NotSupportedException">The contract has a member that cannot be called remotely; it is
    /// named.</exception>
    public TContract CreateProxy<TContract>(IGlueEndpointSelector selector, GlueProxyOptions? options = null)
        where TContract : class
    {
        ArgumentNullException.ThrowIfNull(selector);
        return Create<TContract>(new SelectedRoute(_settings, typeof(TContract), selector, ChannelOf), options);
    }

    /// <summary>
    /// Shakes hands over TLS on a connection that the program has opened itself, with the certificate and the
    /// authorities of this client (<see cref="GlueClientOptions.Tls"/>). For ports of a program that do not speak Glue.
    /// </summary>
    /// <param name="connection">Closed when the handshake fails, or with the result.</param>
    /// <param name="host">That was called; the certificate must bear it, or else
    /// <see cref="GlueTlsOptions.ServerName"/>.</param>
    /// <param name="cancellationToken">Ends the handshake.</param>
    /// <returns>The encrypted stream.</returns>
    /// <exception cref="AuthenticationException">The other side is not trusted; the message says why.</exception>
    public async ValueTask<Stream> AuthenticateAsync(
        Stream connection, string host, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentException.ThrowIfNullOrEmpty(host);
        var stream = new SslStream(connection, leaveInnerStreamOpen: false);
        try
        {
            var options = _tls?.ToOptions(host) ?? new SslClientAuthenticationOptions();
            options.TargetHost = host;
            await stream.AuthenticateAsClientAsync(options, cancellationToken).ConfigureAwait(false);
            return stream;
        }
        catch (Exception exception)
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            if (CertificateException.In(exception) is not { } problem)
                throw;
            _settings.Metrics.CountRefusedCertificate();
            throw problem;
        }
    }

    /// <summary>
    /// Closes all links. Calls under way fail; later ones too. One-way calls that were sent run all the same: waits
    /// until the servers have received them, as long as they take some each second, and 10 seconds at most. Idempotent.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (_isDisposed)
                return;
            _isDisposed = true;
        }

        if (_certificateWatch is not null)
            await _certificateWatch.DisposeAsync().ConfigureAwait(false);
        await Task.WhenAll(_channels.Values.Select(channel => ((IAsyncDisposable)channel).DisposeAsync().AsTask()))
            .ConfigureAwait(false);
        _callbacks.Dispose();
    }

    private static CertificateStore? CertificatesOf(ClientSettings settings) =>
        settings.Tls is { } options
            ? new CertificateStore(options, settings.Time, settings.LoggerFactory)
            : null;

    // Calls in requests of their own soon take other connections by themselves.
    private void RenewLinks()
    {
        foreach (var channel in _channels.Values)
            (channel as LinkChannel ?? (channel as UnaryChannel)?.Links)?.Link?.Retire();
    }

    private TContract Create<TContract>(CallRoute route, GlueProxyOptions? options)
        where TContract : class
    {
        if (options?.Resilience is { } resilience)
            route = new InterceptedRoute(route, new ResilienceInterceptor(Checked(resilience), route));
        if (_filters.ForSending(options?.Filters) is { } filters)
            route = new InterceptedRoute(route, new FilterInterceptor(filters));
        var contract = _contracts.Of(ContractDescription.Of(typeof(TContract)));
        return (TContract)ProxyEmitter.Create(contract.Description, route, contract.Methods);
    }

    private static GlueResilienceOptions Checked(GlueResilienceOptions options) =>
        ResilienceRules.ProblemsOf(options).ToArray() is { Length: > 0 } problems
            ? throw new ArgumentException(string.Join(Environment.NewLine, problems), nameof(options))
            : options;

    private ICallChannel ChannelOf(string address) =>
        _channels.TryGetValue(address, out var channel) ? channel : AddChannel(address);

    private ICallChannel AddChannel(string address)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            return _channels.GetOrAdd(address, CreateChannel);
        }
    }

    private ICallChannel CreateChannel(string address)
    {
        if (!Uri.TryCreate(address, UriKind.Absolute, out var uri))
        {
            throw new ArgumentException(
                $"'{address}' is no address: http://…, https://…, unix:///… or inproc://….", nameof(address));
        }

        return uri.Scheme switch
        {
            AddressScheme.InProcess => new InProcessChannel(address, uri, _callbacks, _settings),
            "http" or "https" => CreateNetworkChannel(address, uri),
            AddressScheme.Unix when UnixSocket.PathOf(uri) is null => throw new ArgumentException(
                $"'{address}' names no socket; use unix:///path.", nameof(address)),
            AddressScheme.Unix => CreateNetworkChannel(address, uri),
            _ => throw new ArgumentException(
                $"'{address}' has the scheme '{uri.Scheme}'; http, https, unix and {AddressScheme.InProcess} are "
                + "known.",
                nameof(address)),
        };
    }

    private ICallChannel CreateNetworkChannel(string address, Uri uri) => _settings.Transport == GlueTransport.Unary
        ? new UnaryChannel(address, uri, _callbacks, _settings, (_grpc, _connector))
        : new LinkChannel(address, uri, _callbacks, _settings, _connector);
}
