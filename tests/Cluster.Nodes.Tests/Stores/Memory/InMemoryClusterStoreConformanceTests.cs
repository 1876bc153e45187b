using Cluster.Nodes.Stores;
using Cluster.Nodes.Stores.Memory;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Tests.Stores.Memory;

/// <summary>The in-memory store passes the conformance suite of cluster stores.</summary>
public sealed class InMemoryClusterStoreConformanceTests : ClusterStoreTroubleConformanceTests
{
    private readonly InMemoryClusterHub _hub = new();

    protected override bool ShowsDigest => false;

    protected override IClusterStore OpenCore(string clusterName) =>
        new InMemoryClusterStore(_hub, clusterName, TimeProvider.System);

    protected override Task<IClusterStore> OpenWithUnknownSwapAsync(bool isWritten) =>
        Task.FromResult<IClusterStore>(new UnansweredSwapStore(Open(), isWritten));

    protected override Task WipeAsync(string clusterName)
    {
        _hub.Remove(clusterName);
        return Task.CompletedTask;
    }
}
