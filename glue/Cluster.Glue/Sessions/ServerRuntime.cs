using Cluster.Glue.Observation;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Serving;
using Cluster.Glue.Settings;
using Cluster.Glue.Wire;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Cluster.Glue.Sessions;

/// <summary>The Glue server of this process, for all bindings: it keeps links, unary calls and local callers, and
/// drains them. A singleton of the container. Its shared state is concurrent sets and flags that are only ever
/// raised.</summary>
internal sealed class ServerRuntime : IDisposable, IAsyncDisposable
{
    private readonly OpenLinks _links = new();
    private readonly ConcurrentDictionary<ILocalCalls, bool> _callers = new();
    private readonly CancellationTokenSource _draining = new();
    private volatile bool _isDrainTimeOver;

    public ServerRuntime(
        IServiceProvider services,
        IOptions<GlueServerOptions> options,
        IEnumerable<ServiceRegistration> registrations,
        ILoggerFactory loggerFactory)
    {
        Host = new CallHost(services, new ServerSettings(options.Value), registrations, loggerFactory);
        Unary = new UnaryCalls(Settings);
        Receiving = new ByteBudget(Settings.MaxReceivingBytes, nameof(GlueServerOptions.MaxReceivingBytes));
    }

    /// <summary>Runs the calls of this server.</summary>
    public CallHost Host { get; }

    public ServerSettings Settings => Host.Settings;

    public ServerLog Log => Host.Log;

    /// <summary>The links that are open, or whose one-way calls still run after the link has ended.</summary>
    public ICollection<Link> Links => _links.All;

    /// <summary>The unary calls of this server.</summary>
    public UnaryCalls Unary { get; }

    /// <summary>Bytes of unary requests that are being received, and of unary one-way calls.</summary>
    public ByteBudget Receiving { get; }

    public bool IsDraining => _draining.IsCancellationRequested;

    /// <summary>The settings that this side sends in handshakes.</summary>
    public Hello Hello => new(
        GlueWire.ProtocolVersionLowest,
        GlueWire.ProtocolVersionHighest,
        Settings.Node,
        Settings.MaxMessageBytes,
        Settings.MaxCallsInFlight,
        default,
        Settings.ResumeWindow);

    /// <summary>Registers a client of this process; it may call until it is removed.</summary>
    public void Add(ILocalCalls caller) => _callers.TryAdd(caller, true);

    public void Remove(ILocalCalls caller) => _callers.TryRemove(caller, out _);

    /// <summary>Keeps a link that a peer has opened, until the link and its one-way calls have ended. False: another
    /// link has the same secret.</summary>
    public bool TryAdd(Link link)
    {
        if (!_links.TryAdd(link))
            return false;
        Detached.Run((server: this, link), static state => state.server.WatchAsync(state.link));
        return true;
    }

    public Link? Find(LinkSecret secret) => _links.Find(secret);

    /// <summary>Asks all peers for fresh links, for example because the certificate of this server has
    /// changed.</summary>
    public void RenewLinks()
    {
        foreach (var link in _links.All)
            link.Retire();
    }

    /// <summary>Tells all peers to leave, lets running calls finish within the drain time (also one-way calls of peers
    /// that have left), and ends all links. Idempotent.</summary>
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
        Host.Dispose();
        _ = Unary.DisposeAsync().AsTask();
        _ = Host.EndInstancesAsync();
    }

    public async ValueTask DisposeAsync()
    {
        _draining.Dispose();
        Host.Dispose();
        await Unary.DisposeAsync().ConfigureAwait(false);
        await Host.EndInstancesAsync().ConfigureAwait(false);
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
