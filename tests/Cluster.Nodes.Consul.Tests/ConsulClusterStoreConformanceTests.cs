using Cluster.Contracts;
using Cluster.Nodes.Consul.Client;
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
    : ClusterStoreTroubleConformanceTests, IDisposable
{
    // Long enough for calls that succeed on a busy machine, and short enough to wait for calls that time out.
    private static readonly TimeSpan LossBudget = TimeSpan.FromSeconds(5);

    private readonly LogRecorder _logs = new();
    private TroubledConsul? _troubled;

    public void Dispose() => _logs.Dispose();

    public override async Task DisposeAsync()
    {
        await base.DisposeAsync();
        if (_troubled is not null)
            await _troubled.DisposeAsync();
    }

    protected override IClusterStore OpenCore(string clusterName) =>
        OpenAt(fixture.Server.Address, clusterName, TestWaitBudget.Long);

    protected override async Task<IClusterStore> OpenWithUnknownSwapAsync(bool isWritten)
    {
        _troubled = await TroubledConsul.StartAsync(fixture.Server.Address);
        _troubled.Lose(isWritten ? TroubledConsul.Loss.Answer : TroubledConsul.Loss.Request);
        return OpenAt(_troubled.Address, ClusterName, TestWaitBudget.Long with { Call = LossBudget });
    }

    protected override Task HealAsync()
    {
        _troubled!.Lose(TroubledConsul.Loss.None);
        return Task.CompletedTask;
    }

    protected override async Task<IClusterStore> OpenWatchedAsync()
    {
        _troubled = await TroubledConsul.StartAsync(fixture.Server.Address);
        return OpenAt(_troubled.Address, ClusterName, TestWaitBudget.Long);
    }

    protected override Task LoseWatchAsync() => _troubled!.BreakPollsAsync();

    protected override Task ResetIndexAsync() => _troubled!.ResetIndexAsync();

    // Destroys the session, as an operator may do at any time.
    protected override async Task BreakLeaseAsync(NodeId node, ICoordinatorLease lease, INodeRegistration registration) =>
        await fixture.Server.PutAsync($"/v1/session/destroy/{((ConsulCoordinatorLease)lease).Session}");

    protected override Task WipeAsync(string clusterName) => fixture.Server.DeleteKeysAsync($"cluster/{clusterName}/");

    private ConsulClusterStore OpenAt(string address, string clusterName, ConsulWaitBudget budget) =>
        ConsulClusterStore.Create(
            clusterName, new ConsulOptions { Address = address }, budget, TimeProvider.System, _logs.Factory);
}
