using System.Diagnostics.Metrics;
using Cluster.Nodes.Configuration;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Routing;

/// <summary>Connects the injected states with the router once the cluster's properties are known. The lifecycle binds
/// it once. A state that is used earlier throws instead of waiting. The one field is published whole.</summary>
internal sealed class StateRouting(
    ClusterComposition composition, ClusterSettings settings, ITableView view, PeerDirectory peers, TimeProvider time)
    : IAsyncDisposable
{
    private volatile StateRouter? _router;

    /// <summary>Measures the operations of this process.</summary>
    public required IMeterFactory Meters { get; init; }

    /// <summary>The registered states.</summary>
    public StateCatalog Catalog { get; } = new(composition.States);

    /// <summary>The router of this process.</summary>
    /// <exception cref="InvalidOperationException">The host has not started.</exception>
    public StateRouter Router => _router
        ?? throw new InvalidOperationException(
            "The cluster's states can be used once the host has started. Await StartAsync of the host first; a hosted "
            + "service that uses them while it starts must be added after AddCluster.");

    /// <summary>Called once, when the cluster's properties have been read.</summary>
    /// <param name="meta">The properties.</param>
    /// <param name="local">This node's own store, or null in a client.</param>
    public void Bind(ClusterMeta meta, NodeStateStore? local)
    {
        var options = new StateRouterOptions
        {
            Time = time,
            WhenSuspected = settings.WhenSuspected,
            MeterFactory = Meters,
        };
        _router = new StateRouter(view, peers, new PartitionHash(meta), local, options);
    }

    /// <summary>Ends what the states keep and watch in this process.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_router is { } router)
            await router.DisposeAsync().ConfigureAwait(false);
    }
}
