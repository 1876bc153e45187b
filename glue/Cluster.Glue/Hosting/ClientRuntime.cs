using System.Net.Security;
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

namespace Cluster.Glue.Hosting;

/// <summary>The channels of a <see cref="GlueClient"/>, one per address, and the objects that their calls share. A lock
/// protects the creation and the end of channels; the parts protect themselves.</summary>
internal sealed class ClientRuntime : IAsyncDisposable
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

    public ClientRuntime(GlueClientOptions options)
    {
        var problems = GlueClientOptionsValidator.ProblemsOf(options).ToArray();
        if (problems.Length > 0)
            throw new ArgumentException(string.Join(Environment.NewLine, problems), nameof(options));
        _settings = new ClientSettings(options);
        _filters = new FilterLevels(options.FilterOptions, options.Services);
        _contracts = new ClientContracts(_settings);
        _callbacks = CallHost.ForCallbacks(_contracts);
        var certificates = CertificatesOf(_settings);
        _tls = certificates is null ? null : new ClientTls(certificates, _settings.Tls!.ServerName);
        _grpc = new GrpcChannels(_settings.ConnectTimeout, _settings.WindowBytes, _settings.Compression, _tls)
        {
            Detour = _settings.Detour,
        };
        _certificateWatch = certificates?.Watch(RenewLinks);
        var connector = new GrpcConnector(_grpc, _settings.Tokens);
        _connector = options.WrapConnector?.Invoke(connector) ?? connector;
    }

    /// <summary>The newest link of each channel, open or ended.</summary>
    public IEnumerable<Link> Links =>
        _channels.Values.OfType<LinkChannel>().Select(channel => channel.Link).OfType<Link>();

    public TContract CreateProxy<TContract>(string address, GlueProxyOptions? options)
        where TContract : class =>
        Create<TContract>(
            new FixedRoute(_settings, ChannelOf(address)) { DeadlineMax = DeadlineMaxOf(options) }, options);

    public TContract CreateProxy<TContract>(IGlueEndpointSelector selector, GlueProxyOptions? options)
        where TContract : class =>
        Create<TContract>(
            new SelectedRoute(_settings, typeof(TContract), selector, ChannelOf)
            {
                DeadlineMax = DeadlineMaxOf(options),
            },
            options);

    public async ValueTask<Stream> AuthenticateAsync(
        Stream connection, string host, CancellationToken cancellationToken)
    {
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

    // Unary calls soon use other connections by themselves.
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

    private static TimeSpan DeadlineMaxOf(GlueProxyOptions? options)
    {
        if (options?.MaxDeadline is not { } max)
            return TimeSpan.MaxValue;
        if (max <= TimeSpan.Zero || max > GlueLimits.DeadlineHighest)
        {
            throw new ArgumentException(
                $"MaxDeadline is {max}; it must be more than zero and at most {GlueLimits.DeadlineHighest}.",
                nameof(options));
        }

        return max;
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
