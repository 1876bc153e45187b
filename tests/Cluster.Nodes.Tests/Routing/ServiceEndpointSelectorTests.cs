using Cluster.Nodes.Configuration;
using Cluster.Nodes.Routing;
using Cluster.Nodes.Tests.Clusters;
using Cluster.StateStore.Hosting.Tables;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Routing;

[Trait("Case", "repair-E")]
public sealed class ServiceEndpointSelectorTests
{
    private static readonly EquatableArray<string> Greeting = new([typeof(IGreeter).FullName!]);

    private readonly TableView _view = new(null, With(
        Member(0) with { Services = Greeting },
        Member(1),
        Member(2) with { Services = Greeting },
        Member(3, MemberState.Draining) with { Services = Greeting }));

    [Fact]
    [Trait("Case", "glue-87")]
    public void SelectEndpoint_ManyDraws_GivesEveryActiveNodeThatOffers()
    {
        Assert.Equal(["http://127.0.0.1:7000", "http://127.0.0.1:7002"], Draw([]));
        Assert.Equal(["http://127.0.0.1:7002"], Draw(["http://127.0.0.1:7000"]));
        Assert.Null(Create().SelectEndpoint(typeof(IGreeter), ["http://127.0.0.1:7000", "http://127.0.0.1:7002"]));
    }

    [Fact]
    public void SelectEndpoint_NewerTable_AnswersFromIt()
    {
        var selector = Create();
        Assert.NotNull(selector.SelectEndpoint(typeof(IGreeter), []));
        _view.Publish(With(Member(1) with { Services = Greeting }) with { Version = 2 });
        Assert.Equal("http://127.0.0.1:7001", selector.SelectEndpoint(typeof(IGreeter), []));
    }

    [Fact]
    public void SelectEndpoint_SameTable_LooksThroughTheMembersOnce()
    {
        var selector = Create();
        selector.SelectEndpoint(typeof(IGreeter), []);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var call = 0; call < 1_000; call++)
            selector.SelectEndpoint(typeof(IGreeter), []);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private ServiceEndpointSelector Create() =>
        new(_view, new ClusterComposition(), new NodeIdentity(Node(9)));

    private string[] Draw(string[] excluded)
    {
        var selector = Create();
        return [.. Enumerable.Range(0, 100).Select(_ => selector.SelectEndpoint(typeof(IGreeter), excluded)!).Distinct().Order()];
    }
}
