using Cluster.Nodes.AspNetCore.Sessions;
using Cluster.Nodes.AspNetCore.Tests.Clusters;
using Cluster.Nodes.Hosting;
using Cluster.StateStore;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Sessions;

/// <summary>A node that keeps sessions.</summary>
public sealed class SessionNode : SingleNode
{
    internal IPartitionedState<string, SessionRecord> State =>
        Services.GetRequiredKeyedService<IPartitionedState<string, SessionRecord>>(SessionRecord.StateName);

    internal ObservedState<string, SessionRecord> Observe() => new(State);

    internal static ISession Open(
        ClusterSessionStore store, string key, bool isNew = false, TimeSpan? ioTimeout = null) =>
        store.Create(key, TimeSpan.FromMinutes(20), ioTimeout ?? TimeSpan.FromMinutes(1), () => true, isNew);

    internal ClusterSessionStore CreateStore(
        IPartitionedState<string, SessionRecord> state, ClusterSessionOptions? options = null) => new(
        state,
        options ?? new ClusterSessionOptions(),
        Services.GetRequiredService<SessionRefusals>(),
        TimeProvider.System);

    protected override void Compose(ClusterBuilder cluster) => cluster.AddClusterSession(
        options => options.AddState<Basket>(state => state.ConfigureTypes(types => types.Allow<PricedLine>())));
}
