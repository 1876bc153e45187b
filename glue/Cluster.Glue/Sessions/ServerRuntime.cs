using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using Cluster.Contracts;
using Cluster.Glue.Authorization;
using Cluster.Glue.Catalog;
using Cluster.Glue.Channels;
using Cluster.Glue.Client;
using Cluster.Glue.Filters;
using Cluster.Glue.Observation;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Serving;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Cluster.Glue.Sessions;

/// <summary>
/// The Glue server of this process, whatever its bindings: catalog, settings, who calls it, and draining. A singleton
/// of the container; its shared state is concurrent sets and flags that are only ever raised.
/// </summary>
internal sealed class ServerRuntime : IDisposable, IAsyncDisposable
{
    private readonly OpenLinks _links = new();
    private readonly CallPool<IncomingCall> _calls;
    private readonly ConcurrentDictionary<InProcessChannel, bool> _callers = new();
    private readonly CancellationTokenSource _draining = new();
    private volatile bool _isDrainTimeOver;

    public ServerRuntime(
        IServiceProvider services,
        IOptions<GlueServerOptions> options,
        IEnumerable<ServiceRegistration> registrations,
        ILoggerFactory loggerFactory)
        : this(services, new ServerSettings(options.Value), registrations, loggerFactory, null)
    {
    }

    private ServerRuntime(
        IServiceProvider services,
        ServerSettings settings,
        IEnumerable<ServiceRegistration> registrations,
        ILoggerFactory loggerFactory,
        ClientContracts? calling)
    {
        Services = services;
        Settings = settings;
        Log = new ServerLog(loggerFactory.CreateLogger<ServerLog>(), Settings.Time);
        Metrics = calling?.Settings.Metrics ?? GlueMetrics.Of(services.GetService<IMeterFactory>());
        Callers = new CallerAuthentication(services, Settings, Log);
        Catalog = new ServiceCatalog(
            Demands.AddTo(registrations, services), Settings, new FilterLevels(Settings.Filters, services));
        Callbacks = new CallbackContracts(
            Settings, calling ?? new ClientContracts(new ClientSettings(settings.ToClientOptions(loggerFactory))));
        Unary = new UnaryCalls(Settings);
        Receiving = new ByteBudget(Settings.MaxReceivingBytes, nameof(GlueServerOptions.MaxReceivingBytes));
        _calls = new CallPool<IncomingCall>(() => new IncomingCall(this));
    }

    /// <summary>What a client serves: calls to objects that it passed by reference.</summary>
    public static ServerRuntime ForCallbacks(ClientContracts calling) => new(
        new NoServices(),
        new ServerSettings(calling.Settings.ToServerOptions()),
        [],
        calling.Settings.LoggerFactory,
        calling);

    public IServiceProvider Services { get; }

    public ServerSettings Settings { get; }

    public ServerLog Log { get; }

    public GlueMetrics Metrics { get; }

    public ServiceCatalog Catalog { get; }

    /// <summary>Finds out who calls.</summary>
    public CallerAuthentication Callers { get; }

    /// <summary>The contracts of objects that are passed by reference, either way.</summary>
    public CallbackContracts Callbacks { get; }

    /// <summary>The links that are open, or left one-way calls behind that still run.</summary>
    public ICollection<Link> Links => _links.All;

    /// <summary>What comes in requests of its own.</summary>
    public UnaryCalls Unary { get; }

    /// <summary>Bytes of requests of their own that are being received, and of their one-way calls.</summary>
    public ByteBudget Receiving { get; }

    public bool IsDraining => _draining.IsCancellationRequested;

    /// <summary>What this side says of itself in handshakes.</summary>
    public Hello Hello => new(
        GlueWire.ProtocolVersionLowest,
        GlueWire.ProtocolVersionHighest,
        Settings.Node,
        Settings.MessageBytesMax,
        Settings.CallsInFlightMax,
        default,
        Settings.ResumeWindow);

    /// <summary>Finds the policies of all methods, so that a missing one stops the start.</summary>
    /// <exception cref="InvalidOperationException">One is missing; the message says what to do.</exception>
    public async ValueTask PrepareAccessAsync()
    {
        var all = Catalog.Contracts.SelectMany(static contract => contract.Methods
            .Select(static method => method.Access)
            .Concat(contract.Generics.Select(static method => method.Access)));
        var scope = Services.CreateAsyncScope();
        await using (scope.ConfigureAwait(false))
        {
            foreach (var access in all.OfType<MethodAccess>())
                await access.PrepareAsync(scope.ServiceProvider).ConfigureAwait(false);
        }
    }

    public IncomingCall RentCall() => _calls.Rent();

    public void Recycle(IncomingCall call) => _calls.Return(call);

    /// <summary>Logs and counts a one-way call that failed here: nobody else hears of it.</summary>
    public void NoteFailedOneWay(Exception exception, string method)
    {
        Log.OneWayFailed(exception, method);
        Metrics.CountFailedOneWay(
            method, exception is GlueException known ? known.Code.ToString() : TypeText.Of(exception.GetType()));
    }

    /// <summary>Logs and counts a one-way call for which there is no method, or no room.</summary>
    public void NoteRefusedOneWay(GlueException refusal, string peer, string? method)
    {
        Log.OneWayRefused(peer, refusal.Message);
        Metrics.CountFailedOneWay(method, refusal.Code.ToString());
    }

    /// <summary>A client of this process may call, until it is removed again.</summary>
    public void Add(InProcessChannel caller) => _callers.TryAdd(caller, true);

    public void Remove(InProcessChannel caller) => _callers.TryRemove(caller, out _);

    /// <summary>
    /// Keeps a link that a peer has opened until it and its one-way calls have ended; false when its secret is in use.
    /// </summary>
    public bool TryAdd(Link link)
    {
        if (!_links.TryAdd(link))
            return false;
        Detached.Run((server: this, link), static state => state.server.WatchAsync(state.link));
        return true;
    }

    public Link? Find(LinkSecret secret) => _links.Find(secret);

    /// <summary>Asks all peers for fresh links, as when the certificate of this server has changed.</summary>
    public void RenewLinks()
    {
        foreach (var link in _links.All)
            link.Retire();
    }

    /// <summary>
    /// Tells all peers, lets running calls finish within the drain time, also the one-way ones of peers that have left,
    /// and ends all links. Idempotent.
    /// </summary>
    public async Task DrainAsync()
    {
        await _draining.CancelAsync().ConfigureAwait(false);
        if (_isDrainTimeOver)
        {
            EndAll();
            return;
        }

        var links = _links.All.Select(link => link.Finished).ToArray();
        if (links.Length > 0)
            Log.Draining(links.Length);
        var oneWays = _callers.Keys.Select(caller => caller.WaitForOneWaysAsync())
            .Append(Unary.WaitForOneWaysAsync());
        try
        {
            await Task.WhenAll([.. links, .. oneWays]).WaitAsync(Settings.DrainTimeout, Settings.Time)
                .ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            _isDrainTimeOver = true;
            EndAll();
        }
    }

    public void Dispose()
    {
        _draining.Dispose();
        Log.Dispose();
        _ = Unary.DisposeAsync().AsTask();
        _ = EndInstancesAsync();
    }

    public async ValueTask DisposeAsync()
    {
        _draining.Dispose();
        Log.Dispose();
        await Unary.DisposeAsync().ConfigureAwait(false);
        await EndInstancesAsync().ConfigureAwait(false);
    }

    private void EndAll()
    {
        foreach (var link in _links.All)
        {
            link.End(GlueErrorCode.Draining, "the server stopped");
            link.CancelServed();
        }

        foreach (var caller in _callers.Keys)
            caller.CancelServed();
        Unary.CancelAll();
    }

    private async Task EndInstancesAsync()
    {
        foreach (var contract in Catalog.Contracts)
        {
            if (contract.Instances is { } instances)
                await instances.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task WatchAsync(Link link)
    {
        Log.LinkOpened(link.Settings.PeerName);
        await using (_draining.Token.UnsafeRegister(static l => ((Link)l!).StartDrain(), link).ConfigureAwait(false))
            await LinkRenewal.WaitForEndAsync(link).ConfigureAwait(false);
        Log.LinkEnded(link.Settings.PeerName, link.EndCause!.Message);
        await link.Finished.ConfigureAwait(false);
        _links.Remove(link);
    }
}
