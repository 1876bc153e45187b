using Xunit.Abstractions;
using static Cluster.Nodes.Tests.Clusters.ClusterFixture;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>A network that is cut may lose the answer of the store to a node that waits for a change.</summary>
[Trait("Case", "cluster-F6")]
public sealed class HungPollTests(ITestOutputHelper output)
{
    [Fact]
    public async Task NodeWhosePollsHang_LearnsOfNewTablesThroughOtherNodes()
    {
        var isCut = new StrongBox<bool>();
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        var first = await fixture.StartAsync("n1");
        fixture.LosesPolls = () => Volatile.Read(ref isCut.Value);
        var second = await fixture.StartAsync("n2");
        fixture.LosesPolls = null;
        await WaitUntilOwnedAsync([first, second], 2);
        Volatile.Write(ref isCut.Value, true);
        var third = await fixture.StartAsync("n3");
        await WaitUntilOwnedAsync([first, second, third], 3);
    }
}
