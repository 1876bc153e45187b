using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing.Simulation;
using Cluster.Testing.Simulation.Core;
using Xunit.Abstractions;

namespace Cluster.StateStore.Tests.Protocol;

/// <summary>How often the table is written when many nodes join a cluster of three at once. Clients work
/// meanwhile.</summary>
/// <remarks>
/// What the bounds are made of: the coordinator enters all nodes that ask within 200 ms with one table. Two seconds
/// later it plans all moves with one table. From then on it writes a table when every partition that moves has asked for
/// its next step, or after a second. The nodes begin planned moves together, just after a table that makes some
/// possible, so that one table has most of them. A partition takes one table each for the plan, for the copy, for the
/// move and for the member that leaves, and most partitions change both members. So the number of tables depends on the
/// time in which the moves run, three to six seconds here. It grows little with the number of nodes and of partitions,
/// because all moves run at the same time: 14 to 18 tables were measured. The bounds are below that of the design for ten
/// nodes (30), because real processes are less in step.
/// </remarks>
public sealed class TableWritesTests(ITestOutputHelper output)
{
    private const int NodeCount = 3;
    private static readonly TimeSpan SettleMax = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan QuietTime = TimeSpan.FromSeconds(3);

    [Fact]
    public void TenNodes_ThatJoinThreeAtOnce_CostFewWrites() =>
        Check(joinCount: 10, partitionCount: 256, seedCount: 3, writesMax: 22);

    [Theory]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    [InlineData(10, 256, 12, 22)]
    [InlineData(10, 1_024, 3, 22)]
    [InlineData(27, 256, 3, 24)]
    [InlineData(97, 256, 1, 24)]
    public void Nodes_ThatJoinThreeAtOnce_CostFewWrites(
        int joinCount, int partitionCount, int seedCount, int writesMax) =>
        Check(joinCount, partitionCount, seedCount, writesMax);

    private void Check(int joinCount, int partitionCount, int seedCount, int writesMax)
    {
        for (var seed = 1UL; seed <= (ulong)seedCount; seed++)
        {
            var cluster = Start(seed, joinCount, partitionCount);
            SettleUntil(cluster, NodeCount);
            var (version, conflicts) = (cluster.Store.Current.Version, cluster.Store.Counts.Conflicts);
            var began = cluster.World.Now;
            foreach (var node in cluster.Nodes.Skip(NodeCount))
                node.Start();
            SettleUntil(cluster, NodeCount + joinCount);
            var writes = cluster.Store.Current.Version - version;
            conflicts = cluster.Store.Counts.Conflicts - conflicts;
            output.WriteLine(
                $"seed {seed}: {joinCount} nodes joined {NodeCount} over {partitionCount} partitions with {writes} "
                + $"writes and {conflicts} conflicts in {cluster.Store.Versions[^1].At - began}");
            Assert.InRange(writes, 1, writesMax);
            Assert.InRange(conflicts, 0, NodeCount);
            CheckBalance(cluster.Store.Current);
        }
    }

    private static SimulatedCluster Start(ulong seed, int joinCount, int partitionCount) => new(
        new SimulatedWorld(seed),
        new SimulationSettings { NodeCount = NodeCount, SpareCount = joinCount, PartitionCount = partitionCount },
        CoreSimulation.Setup().NewPrograms());

    private static void SettleUntil(SimulatedCluster cluster, int nodeCount)
    {
        var end = cluster.World.Now + SettleMax;
        while (!IsSettled(cluster, nodeCount))
        {
            Assert.True(cluster.Step(end), $"Seed {cluster.World.Seed}: not settled after {SettleMax}.");
            Assert.Empty(cluster.World.Violations);
        }
    }

    private static bool IsSettled(SimulatedCluster cluster, int nodeCount)
    {
        if (cluster.World.Now - cluster.Store.Versions[^1].At < QuietTime)
            return false;
        var table = cluster.Store.Current;
        return table.Members.Count(member => member.State == MemberState.Active) == nodeCount
            && table.Partitions.All(entry => entry is
            { Primary: not null, Joining: null, Next: null, Leaving: null, InSync.Count: 2 });
    }

    private static void CheckBalance(ClusterTable table)
    {
        var replicas = table.Members
            .Select(member => table.Partitions.Count(entry => entry.InSync.Items.Contains(member.Slot)))
            .ToArray();
        var primaries = table.Members
            .Select(member => table.Partitions.Count(entry => entry.Primary == member.Slot))
            .ToArray();
        Assert.InRange(replicas.Max() - replicas.Min(), 0, 2);
        Assert.InRange(primaries.Max() - primaries.Min(), 0, 2);
    }
}
