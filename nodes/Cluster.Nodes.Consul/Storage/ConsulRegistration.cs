using Cluster.Nodes.Consul.Client;
using Cluster.Nodes.Consul.Messages;
using Cluster.Nodes.Stores;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Consul.Storage;

/// <summary>A node's announcement: a service of its agent with a check that turns critical when it is not beaten.
/// Registers again when the agent has forgotten it. Owned by the node; a private lock protects its state.</summary>
internal sealed partial class ConsulRegistration(
    ConsulClusterStore store, ConsulClient consul, NodeId node, Uri address, ILogger logger)
    : INodeRegistration
{
    private readonly ConsulClusterStore _store = store;
    private readonly ConsulClient _consul = consul;
    private readonly ConsulServiceRegistration _service = Describe(store, node, address);
    private readonly ILogger _logger = logger;
    private readonly Lock _lock = new();
    private readonly Queue<string> _abandoned = new();
    private ConsulCoordinatorLease? _lease;
    private bool _isWithdrawn;

    public NodeId Node { get; } = node;

    public Uri Address { get; } = address;

    /// <summary>The check that the node's sessions depend on.</summary>
    public string CheckId => _service.Check.CheckId;

    public bool IsWithdrawn
    {
        get
        {
            lock (_lock)
                return _isWithdrawn;
        }
    }

    public Task AnnounceAsync(CancellationToken cancellationToken) =>
        _consul.RegisterServiceAsync(_service, cancellationToken);

    public async ValueTask BeatAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(IsWithdrawn, this);
        await _store.RunAsync(BeatCoreAsync, cancellationToken).ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        ConsulCoordinatorLease? lease;
        lock (_lock)
        {
            if (_isWithdrawn)
                return;
            _isWithdrawn = true;
            lease = _lease;
        }

        if (lease is not null)
            await lease.DisposeAsync().ConfigureAwait(false);
        _store.Forget(this);
        try
        {
            await _consul.DeregisterServiceAsync(_service.Id, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is ClusterStoreException or ObjectDisposedException)
        {
            // Consul forgets by itself a service that is beaten no more.
            LogNotWithdrawn(LogText.Clean(_service.Id), LogText.Clean(failure.Message));
        }
    }

    /// <summary>Ties a lease to this life of the node; answers <c>false</c> when it is over.</summary>
    public bool TryAttach(ConsulCoordinatorLease lease)
    {
        lock (_lock)
        {
            if (_isWithdrawn)
                return false;
            _lease = lease;
            return true;
        }
    }

    /// <summary>Ends a session, now or with a later beat: one that stayed would hold the coordinator's lock for as long
    /// as the node beats, with nobody acting for it.</summary>
    public async Task EndSessionAsync(string session)
    {
        try
        {
            await _consul.DestroySessionAsync(session, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is ClusterStoreException or ObjectDisposedException)
        {
            lock (_lock)
            {
                if (_abandoned.Count < ConsulLimits.AbandonedSessionsMax)
                    _abandoned.Enqueue(session);
            }

            LogSessionAbandoned(LogText.Clean(session, ConsulLimits.QuoteLengthMax), LogText.Clean(failure.Message));
        }
    }

    private async Task<bool> BeatCoreAsync(CancellationToken cancellationToken)
    {
        if (!await _consul.PassCheckAsync(CheckId, cancellationToken).ConfigureAwait(false))
        {
            await _store.PauseAsync(ConsulLimits.RegisterJitterMax, cancellationToken).ConfigureAwait(false);
            ObjectDisposedException.ThrowIf(IsWithdrawn, this);
            await AnnounceAsync(cancellationToken).ConfigureAwait(false);
            LogRegisteredAgain(LogText.Clean(_service.Id));
        }

        await EndAbandonedAsync(cancellationToken).ConfigureAwait(false);
        return true;
    }

    private async Task EndAbandonedAsync(CancellationToken cancellationToken)
    {
        string? session;
        lock (_lock)
            _abandoned.TryPeek(out session);
        if (session is null)
            return;
        await _consul.DestroySessionAsync(session, cancellationToken).ConfigureAwait(false);
        lock (_lock)
            _abandoned.TryDequeue(out _);
    }

    private static ConsulServiceRegistration Describe(ConsulClusterStore store, NodeId node, Uri address)
    {
        var id = string.Create(CultureInfo.InvariantCulture, $"cluster-{store.ClusterName}-{node.Incarnation:N}");
        var timeToLive = string.Create(
            CultureInfo.InvariantCulture, $"{store.WaitBudget.CheckTimeToLive.TotalSeconds:0}s");
        var check = new ServiceCheck(
            $"service:{id}", "Beaten by the node itself", timeToLive, "passing",
            ConsulLimits.ForgottenAfter);
        var meta = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["node"] = node.Name,
            ["incarnation"] = node.Incarnation.ToString(),
        };
        return new(id, $"cluster-{store.ClusterName}", address.IdnHost, address.Port, meta, check);
    }
}
