using Cluster.Testing.Simulation.Growth;
using Xunit.Abstractions;

namespace Cluster.StateStore.Tests.Protocol;

/// <summary>What changes of clusters of 10 to 1,000 nodes cost. The figures stand in <c>docs/scale.md</c>, which says
/// what the bounds are made of.</summary>
[Trait("Case", "cluster-F33")]
public sealed class GrowthTests(ITestOutputHelper output)
{
    private const double RateMax = 50 * 1024;
    private const int WritesOfReplacementMax = 200;
    private static readonly TimeSpan ConvergedMax = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData(10, 256)]
    public void SmallCluster_ThatChanges_StaysWithinItsBounds(int nodeCount, int partitionCount) =>
        Check(nodeCount, partitionCount);

    [Theory]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    [InlineData(10, 1_024)]
    [InlineData(30, 2_048)]
    [InlineData(70, 1_024)]
    public void MiddleCluster_ThatChanges_StaysWithinItsBounds(int nodeCount, int partitionCount) =>
        Check(nodeCount, partitionCount);

    /// <summary>The nodes of a rack fail together, and some of them have no living neighbour that could report them.
    /// </summary>
    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    public void Cluster_ThatLosesNeighbours_CopiesToLivingNodesAlone()
    {
        var run = new GrowthRun(seed: 1, nodeCount: 100, spareCount: 0, partitionCount: 1_024);
        output.WriteLine(GrowthMeasure.Head);
        Show(run, run.Start());
        var lost = Show(run, run.LoseRow(20));
        Assert.InRange(lost.Converged, TimeSpan.Zero, ConvergedMax / 2);
        Assert.InRange(lost.Copies, 1, 1.1 * lost.IdealCopies);
    }

    /// <summary>Up to an hour, too long for <c>.ci/run</c>.</summary>
    [Theory]
    [Trait("Category", "Soak")]
    [InlineData(100, 4_096)]
    [InlineData(300, 8_192)]
    [InlineData(1_000, 16_384)]
    public void Cluster_ThatChanges_StaysWithinItsBounds(int nodeCount, int partitionCount) =>
        Check(nodeCount, partitionCount);

    // All changes run before the bounds are checked: a run takes long, and its other figures count as well.
    private void Check(int nodeCount, int partitionCount)
    {
        var run = new GrowthRun(seed: 1, nodeCount, spareCount: 10 + (nodeCount / 10), partitionCount);
        output.WriteLine(GrowthMeasure.Head);
        Show(run, run.Start());
        var rest = Show(run, run.Rest(TimeSpan.FromSeconds(20)));
        var replaced = Show(run, run.Replace(percent: 10, atOnce: Math.Max(1, nodeCount / 50)));
        Show(run, run.Join(10));
        GrowthMeasure[] lost = [.. new[] { 1, 10, 30 }.Select(percent => Show(run, run.Lose(percent)))];
        Assert.Multiple(
        [
            () => Assert.Equal(0, rest.Writes),
            () => Assert.InRange(rest.MostRate, 0, RateMax),
            () => Assert.InRange(replaced.Writes, 1, WritesOfReplacementMax),
            () => Assert.InRange(replaced.MeanRate, 0, RateMax),
            .. lost.Select(each => (Action)(() => Assert.InRange(each.Converged, TimeSpan.Zero, ConvergedMax))),
        ]);
    }

    private GrowthMeasure Show(GrowthRun run, GrowthMeasure measure)
    {
        output.WriteLine(measure.ToString());
        Assert.Empty(run.Problems);
        return measure;
    }
}
