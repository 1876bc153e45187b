using Cluster.Contracts;
using Cluster.Nodes.Consul.Storage;
using Cluster.Nodes.Stores;
using Cluster.Testing;
using Cluster.Testing.Consul;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>The Consul store passes the conformance suite of cluster stores, on a real server.</summary>
[Collection(SharedConsul.Name)]
[RequiresConsul]
public sealed class ConsulClusterStoreConformanceTests(ConsulServerFixture fixture)
    : ClusterStoreIdentityConformanceTests, IDisposable
{
    private readonly LogRecorder _logs = new();

    public void Dispose() => _logs.Dispose();

    protected override IClusterStore OpenCore(string clusterName) => ConsulClusterStore.Create(
        clusterName, new ConsulOptions { Address = fixture.Server.Address }, TestWaitBudget.Long, TimeProvider.System,
        _logs.Factory);

    // Destroys the session, as an operator may do at any time.
    protected override async Task BreakLeaseAsync(NodeId node, ICoordinatorLease lease, INodeRegistration registration) =>
        await fixture.Server.PutAsync($"/v1/session/destroy/{((ConsulCoordinatorLease)lease).Session}");

    protected override Task WipeAsync(string clusterName) => fixture.Server.DeleteKeysAsync($"cluster/{clusterName}/");
}
