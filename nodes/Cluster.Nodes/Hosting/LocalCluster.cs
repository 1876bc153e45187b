using Cluster.Nodes.Configuration;
using Cluster.Nodes.Members;
using Cluster.Nodes.Routing;
using Cluster.Nodes.Status;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.Hosting;

/// <summary>Implements <see cref="ICluster"/> from the objects of this process. Stateless.</summary>
internal sealed class LocalCluster(
    IServiceProvider services, NodeIdentity self, ITableView view, EventBoard events, SnapshotSource snapshots)
    : ICluster
{
    public NodeId Self => self.Node;

    public ClusterRole Role => view.Self is null ? ClusterRole.Client : ClusterRole.Node;

    public ClusterSnapshot Snapshot => snapshots.Current;

    public IReadOnlyList<NodeDescription> Nodes => Snapshot.Nodes;

    public NodeDescription? OwnerOf<TKey>(string state, TKey key)
        where TKey : notnull => snapshots.Find(Find<TKey>(state).OwnerOf(key));

    public PartitionId PartitionOf<TKey>(string state, TKey key)
        where TKey : notnull => Find<TKey>(state).FindPartition(key) ?? throw new InvalidOperationException(
            $"No node has joined that has the state '{state}'.");

    public IAsyncEnumerable<ClusterEvent> WatchAsync(CancellationToken cancellationToken = default) =>
        events.WatchAsync(cancellationToken);

    public ValueTask<NodeStatus> GetStatusAsync(NodeId node, CancellationToken cancellationToken = default)
    {
        if (node == view.Self)
            return services.GetRequiredService<NodeStatusService>().GetAsync(cancellationToken);
        var member = view.Current.FindMember(node) ?? throw new GlueException(
            GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.NoEndpoint,
            $"{node} is not a node of the cluster, or no longer.");
        return services.GetRequiredService<PeerDirectory>().StatusOf(member).GetAsync(cancellationToken);
    }

    public Task<bool> DrainAsync(CancellationToken cancellationToken = default)
    {
        if (Role == ClusterRole.Client)
            return Task.FromResult(true);

        // The drain goes on when this caller's wait ends.
        return services.GetRequiredService<NodeDrain>().DrainAsync(CancellationToken.None).WaitAsync(cancellationToken);
    }

    private IKeyedState<TKey> Find<TKey>(string state) => services.GetKeyedService<IKeyedState<TKey>>(state)
        ?? throw new ArgumentException(
            $"No state '{state}' with keys of type {typeof(TKey).Name} is added here; "
            + $"call AddState for it.", nameof(state));
}
