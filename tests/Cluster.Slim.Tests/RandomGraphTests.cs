namespace Cluster.Slim.Tests;

/// <summary>Random graphs come back isomorphic, sharing included. A failure names its seed.</summary>
[Trait("Case", "slim-O")]
public sealed class RandomGraphTests
{
    private const int SeedCount = 400;

    private readonly SlimSerializer _slim = new(new SlimOptions()
        .Allow<RandomGraph.Node>().Allow<RandomGraph.Derived>().Allow<RandomGraph.Pair>()
        .Allow<RandomGraph.Record>().Allow<HashSet<object>>().Allow<Tuple<object, object>>());

    [Fact]
    [Trait("Case", "experience-M5")]
    public void RandomGraph_ComesBackIsomorphic_WithItsSharing()
    {
        for (var seed = 1; seed <= SeedCount; seed++)
        {
            var root = new RandomGraph(seed).Build();
            var back = _slim.DeepClone(root);
            Assert.True(RandomGraph.Describe(root) == RandomGraph.Describe(back), $"seed {seed}");
        }
    }

    [Fact]
    public void RandomGraph_CloneIsIndependent_AndBytesRepeat()
    {
        for (var seed = 1; seed <= SeedCount; seed += 7)
        {
            var root = new RandomGraph(seed).Build();
            var bytes = _slim.Serialize(root);
            var back = _slim.Deserialize<object>(bytes);
            HashSet<object> originals = new(RandomGraph.ObjectsOf(root), ReferenceEqualityComparer.Instance);
            Assert.False(RandomGraph.ObjectsOf(back).Exists(originals.Contains), $"seed {seed}");
            Assert.True(bytes.AsSpan().SequenceEqual(_slim.Serialize(back)), $"seed {seed}");
            Assert.True(bytes.AsSpan().SequenceEqual(_slim.Serialize(new RandomGraph(seed).Build())), $"seed {seed}");
        }
    }
}
