using Cluster.StateStore;
using Cluster.Testing.States;
using Microsoft.Extensions.DependencyInjection;
using Xunit.Abstractions;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>The suite over two real nodes and Glue. The derived classes choose the owner of the key.</summary>
public abstract class ClusterStateConformanceTests(ITestOutputHelper output, int owner) : StateConformanceTests
{
    private readonly ClusterFixture _fixture = new(StoreKind.Memory, output);

    protected override async Task<(IPartitionedState<string, Basket> State, string Key)> OpenAsync()
    {
        TestNode[] nodes = [Create("n1"), Create("n2")];
        await Task.WhenAll(nodes.Select(node => node.StartAsync()));
        await ClusterFixture.WaitUntilOwnedAsync(nodes, 2);
        var key = Enumerable.Range(0, 10_000)
            .Select(number => $"k{number}")
            .First(key => nodes[0].Cluster.OwnerOf("baskets", key)!.Node == nodes[owner].Cluster.Self);
        return (nodes[0].Host.Services.GetRequiredService<IPartitionedState<string, Basket>>(), key);
    }

    protected override Task CloseAsync() => _fixture.DisposeAsync().AsTask();

    private TestNode Create(string name) =>
        _fixture.Create(name, options => options.InitialNodeCount = 2).AddState<Basket>("baskets", Configure);
}

/// <summary>The key belongs to the calling node.</summary>
public sealed class OwnKeyConformanceTests(ITestOutputHelper output) : ClusterStateConformanceTests(output, owner: 0);

/// <summary>The key belongs to the other node.</summary>
public sealed class OtherKeyConformanceTests(ITestOutputHelper output) : ClusterStateConformanceTests(output, owner: 1);
