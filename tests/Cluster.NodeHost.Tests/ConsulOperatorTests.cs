using Cluster.Nodes.Consul;
using Cluster.Nodes.Stores;
using Cluster.Testing.Consul;
using Microsoft.Extensions.Logging.Abstractions;

namespace Cluster.NodeHost.Tests;

public sealed class ConsulOperatorTests : OperatorTests
{
    private ConsulServer? _consul;

    private protected override string[] StoreOptions => ["--consul", _consul!.Address];

    [ConsulFact]
    public Task Import_IntoAnEmptiedConsul_PutsTheClusterBack() => CheckRestoreAsync();

    [ConsulFact]
    public Task Dead_ListedNode_IsGoneWithTheOperatorAsProof() => CheckDeadAsync();

    private protected override IClusterStore Open() => ConsulClusterStore.Create(
        Name, new ConsulOptions { Address = _consul!.Address }, TimeProvider.System, NullLoggerFactory.Instance);

    private protected override Task EmptyAsync() => _consul!.DeleteKeysAsync("");

    public override async Task InitializeAsync()
    {
        if (ConsulBinary.Missing is null)
            _consul = await ConsulServer.StartAsync();
    }

    public override async Task DisposeAsync()
    {
        if (_consul is not null)
            await _consul.DisposeAsync();
        await base.DisposeAsync();
    }
}
