using Cluster.Slim;

namespace Cluster.Pile.Tests.Objects;

/// <summary>Graphs whose keys a reader of strange bytes would refuse: what a pile takes, it gives back.</summary>
[Trait("Case", "repair-C1")]
public sealed class PutAndGetTests
{
    [Theory]
    [InlineData("grid", true)]
    [InlineData("colliding keys", true)]
    [InlineData("deep key", true)]
    [InlineData("deeper key", false)]
    [InlineData("key of many sets", true)]
    public void GraphThatIsPut_ComesBack_OrIsRefused(string shape, bool isTaken)
    {
        using var pile = Piles.Create();
        object graph = shape switch
        {
            "grid" => Enumerable.Range(0, 40_000)
                .ToDictionary(static i => ((long)(i / 200) << 32) | (uint)(i % 200), static i => i),
            "colliding keys" => Enumerable.Range(0, 3000).ToDictionary(static i => i * 0x1_0000_0001L, static i => i),
            "deep key" => new HashSet<Link> { Links(1000) },
            "deeper key" => new HashSet<Link> { Links(2000) },
            _ => Enumerable.Range(0, 3000).Select(Sets(Links(100))).ToArray(),
        };
        if (!isTaken)
        {
            var error = Assert.Throws<SlimLimitException>(() => pile.Put(graph));
            Assert.Equal(nameof(SlimLimits.MaxKeyDepth), error.LimitName);
            return;
        }

        Assert.IsType(graph.GetType(), pile.Get<object>(pile.Put(graph)));
    }

    private static Func<int, HashSet<Link>> Sets(Link key) => _ => [key];

    private static Link Links(int count)
    {
        Link link = new(0, null);
        for (var i = 1; i < count; i++)
            link = new Link(i, link);
        return link;
    }

    private sealed record Link(int Number, Link? Next);
}
