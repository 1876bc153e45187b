namespace Cluster.Slim.Tests;

/// <summary>Random graphs come back isomorphic, sharing included. A failure names its
/// seed.</summary>
[Trait("Case", "slim-O")]
public sealed class RandomGraphTests
{
    private const int SeedCount = 400;

    private readonly SlimSerializer _slim = new(new SlimOptions()
        .Allow<RandomGraph.Node>().Allow<RandomGraph.Derived>().Allow<RandomGraph.Pair>()
        .Allow<RandomGraph.Record>().Allow<HashSet<object>>().Allow<Tuple<object, object>>());

    [Fact]
    public void RandomGraph_ComesBackIsomorphic_WithItsSharing()
    {
        for (int seed = 1; seed <= SeedCount; seed++)
        {
            object root = new RandomGraph(seed).Build();
            object back = _slim.DeepClone(root);
            Assert.True(RandomGraph.Describe(root) == RandomGraph.Describe(back), $"seed {seed}");
        }
    }

    [Fact]
    public void RandomGraph_CloneIsIndependent_AndBytesRepeat()
    {
        for (int seed = 1; seed <= SeedCount; seed += 7)
        {
            object root = new RandomGraph(seed).Build();
            byte[] bytes = _slim.Serialize(root);
            object back = _slim.Deserialize<object>(bytes);
            HashSet<object> originals = new(RandomGraph.ObjectsOf(root), ReferenceEqualityComparer.Instance);
            Assert.False(RandomGraph.ObjectsOf(back).Exists(originals.Contains), $"seed {seed}");
            Assert.True(bytes.AsSpan().SequenceEqual(_slim.Serialize(back)), $"seed {seed}");
            Assert.True(bytes.AsSpan().SequenceEqual(_slim.Serialize(new RandomGraph(seed).Build())), $"seed {seed}");
        }
    }
}
