using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.Testing.States;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>The suite over simulated nodes. The derived classes choose the caller.</summary>
public abstract class SimulatedStateConformanceTests : StateConformanceTests
{
    private readonly StateDefinition<string, Basket> _baskets = StateDefinition.Create<string, Basket>("baskets", Configure);
    private SimulatedCluster _cluster = null!;

    private protected abstract StateRouter RouterOf(SimulatedCluster cluster);

    protected override Task<(IPartitionedState<string, Basket> State, string Key)> OpenAsync()
    {
        _cluster = new SimulatedCluster(nodes: 2, catalog: new StateCatalog([_baskets]));
        var key = Enumerable.Range(0, 10_000)
            .Select(number => $"k{number}")
            .First(key => _cluster.OwnerOf(_cluster.PartitionOf(_baskets, key)) == _cluster[0]);
        var state = new StateClient<string, Basket>(_baskets, RouterOf(_cluster));
        return Task.FromResult<(IPartitionedState<string, Basket>, string)>((state, key));
    }

    protected override Task CloseAsync() => _cluster.DisposeAsync().AsTask();
}

/// <summary>The caller is the owner itself.</summary>
public sealed class OwnerStateConformanceTests : SimulatedStateConformanceTests
{
    private protected override StateRouter RouterOf(SimulatedCluster cluster) => cluster[0].Router;
}

/// <summary>The caller is another node.</summary>
public sealed class OtherNodeStateConformanceTests : SimulatedStateConformanceTests
{
    private protected override StateRouter RouterOf(SimulatedCluster cluster) => cluster[1].Router;
}

/// <summary>The caller is a process that owns no partition.</summary>
public sealed class OutsideStateConformanceTests : SimulatedStateConformanceTests
{
    private protected override StateRouter RouterOf(SimulatedCluster cluster) => cluster.Client;
}
