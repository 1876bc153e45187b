using Xunit.Abstractions;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>The garbage collection of a node during its start.</summary>
[Trait("Case", "repair-E")]
public sealed class StartCollectionTests(ITestOutputHelper output)
{
    [Fact]
    public async Task Node_CollectsOnce_BeforeAnybodyKnowsIt()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        var witness = new object();
        var generations = new List<int>();
        fixture.OnRegistration = () => generations.Add(GC.GetGeneration(witness));

        await fixture.StartAsync("n1");

        Assert.Equal([GC.MaxGeneration], generations);
        GC.KeepAlive(witness);
    }
}
