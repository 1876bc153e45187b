using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>Calls of services that go to the node that owns a key.</summary>
public sealed class OwnerCallTests(ITestOutputHelper output)
{
    private const string State = "tallies";

    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);

    [Fact]
    [Trait("Case", "replica-for-key")]
    [Trait("Case", "glue-52")]
    [Trait("Case", "glue-88")]
    public async Task ForKey_OwnerOffersTheContract_IsCalledThere_AlsoAfterAMove()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        TestNode[] nodes =
        [
            await fixture.Create("n1").OfferGreeter().StartAsync(),
            await fixture.Create("n2").OfferGreeter().StartAsync(),
            await fixture.StartAsync("n3"),
        ];
        await Eventually.TrueAsync(() => nodes.All(node => OwnersSeenBy(node).Count == 3), Bound);
        foreach (var node in nodes)
        {
            for (var number = 0; number < 30; number++)
            {
                var key = $"key {number}";
                var owner = node.Cluster.OwnerOf(State, key)!.Node.Name;
                var answer = await node.Greeters.ForKey(State, key).GreetAsync("you");
                if (owner == "n3")
                    Assert.Matches("^n[12] greets you$", answer);
                else
                    Assert.Equal($"{owner} greets you", answer);
            }
        }

        var moved = Enumerable.Range(0, 1_000).Select(number => $"key {number}")
            .First(key => nodes[2].Cluster.OwnerOf(State, key)!.Node.Name == "n2");
        var greeter = nodes[2].Greeters.ForKey(State, moved);
        Assert.Equal("n2 greets you", await greeter.GreetAsync("you"));
        await nodes[1].StopAsync();
        Assert.Equal("n1 greets you", await greeter.GreetAsync("you"));
    }

    [Fact]
    public async Task ForKey_StateThatIsNotAdded_IsRefusedAndNamed()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        var node = await fixture.Create("n1").OfferGreeter().StartAsync();
        var refusal = Assert.Throws<ArgumentException>(() => node.Greeters.ForKey("none", 5));
        Assert.Contains("No state 'none' with keys of type Int32", refusal.Message, StringComparison.Ordinal);
    }

    private static HashSet<string> OwnersSeenBy(TestNode node) =>
    [
        .. Enumerable.Range(0, 200)
            .Select(number => node.Cluster.OwnerOf(State, $"key {number}")?.Node.Name)
            .OfType<string>(),
    ];
}
