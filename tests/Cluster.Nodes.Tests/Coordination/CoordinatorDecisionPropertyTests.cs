using Cluster.Nodes.Coordination;
using Cluster.Nodes.Liveness;
using Cluster.StateStore.Hosting.Tables;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Coordination;

/// <summary>Random histories of joins, drains, deaths and handoffs. Each step is checked against the rules of the
/// table. At the end of a history nothing more changes; then an active member must own every partition, and the shares
/// must be even.</summary>
public sealed class CoordinatorDecisionPropertyTests
{
    private const int HistoryCount = 60;
    private const int StepCount = 120;

    [Fact]
    public void Apply_RandomHistories_FollowTheRulesAndConverge()
    {
        for (var seed = 1; seed <= HistoryCount; seed++)
            Check(seed);
    }

    private static void Check(int seed)
    {
        var random = new Random(seed);
        var table = Empty;
        var number = 0;
        try
        {
            for (var step = 0; step < StepCount; step++)
            {
                table = TakeRandomStep(table, random, ref number);
                AssertLossesOnlyByDeath(table);
            }

            if (!table.Members.Any(member => member.State == MemberState.Active))
                table = Join(table, ref number);
            table = Settle(table);
            AssertQuiet(table);
        }
        catch (Exception failure)
        {
            throw new Xunit.Sdk.XunitException($"Seed {seed}: {failure}");
        }
    }

    private static ClusterTable TakeRandomStep(ClusterTable table, Random random, ref int number)
    {
        var active = table.Members.Where(member => member.State == MemberState.Active).ToArray();
        var living = table.Members.Where(member => member.State is MemberState.Active or MemberState.Draining).ToArray();
        switch (random.Next(10))
        {
            case 0 when active.Length < 6:
                return Join(table, ref number);
            case 1 when active.Length > 1:
                var leaver = active[random.Next(active.Length)].Node;
                return Step(table, t => MemberChanges.Advance(t, leaver, MemberState.Draining));
            case 2 when living.Length > 0 && random.Next(3) == 0:
                var dead = living[random.Next(living.Length)].Node;
                return Step(table, t => Decide(t, [dead]));
            case < 6 when living.Length > 0:
                return HandOver(table, living[random.Next(living.Length)].Slot, random.Next(1, 20));
            default:
                return Step(table, t => Decide(t, []));
        }
    }

    private static ClusterTable Settle(ClusterTable table)
    {
        for (var round = 0; round < 200; round++)
        {
            var before = table;
            table = Step(table, t => Decide(t, []));
            foreach (var member in table.Members.Where(member => member.State != MemberState.Gone))
            {
                table = HandOver(table, member.Slot, PartitionCount);
                if (member.State == MemberState.Draining)
                    table = Step(table, t => MemberChanges.Leave(t, member.Node));
            }

            if (ReferenceEquals(before, table))
                return table;
        }

        throw new InvalidOperationException("Not quiet after 200 rounds.");
    }

    private static void AssertQuiet(ClusterTable table)
    {
        Assert.All(table.Members, member => Assert.Equal(MemberState.Active, member.State));
        var most = PartitionAssignment.MaxShare(PartitionCount, table.Members.Length);
        foreach (var member in table.Members)
            Assert.InRange(table.CountOf(member.Slot.Value), 1, most);
        Assert.All(table.Partitions, entry => Assert.Equal((1, (NodeSlot?)null), (entry.InSync.Count, entry.Joining)));
    }

    private static void AssertLossesOnlyByDeath(ClusterTable table) =>
        Assert.All(table.Partitions, entry => Assert.True(entry.LossCount <= entry.Epoch.Value));

    private static ClusterTable Join(ClusterTable table, ref int number)
    {
        var candidate = Member(number++);
        table = Step(table, t => MemberChanges.Join(t, candidate));
        return Step(table, t => MemberChanges.Advance(t, candidate.Node, MemberState.Active));
    }

    private static ClusterTable HandOver(ClusterTable table, NodeSlot owner, int countMax)
    {
        var leaving = table.Partitions
            .Select((entry, index) => (entry, index))
            .Where(item => item.entry.Primary == owner && item.entry.Joining is not null)
            .Take(countMax)
            .ToImmutableDictionary(item => new PartitionId(item.index), item => item.entry.Joining!.Value);
        table = Step(table, t => HandoffChanges.Join(t, owner, leaving));
        var copied = table.Partitions
            .Select((entry, index) => (entry, index))
            .Where(item => item.entry.Primary == owner && item.entry.InSync.Count > 1)
            .ToImmutableDictionary(
                item => new PartitionId(item.index), item => item.entry.InSync.Items.First(slot => slot != owner));
        return Step(table, t => HandoffChanges.TakeOver(t, owner, copied));
    }

    private static ClusterTable Decide(ClusterTable table, NodeId[] dead) =>
        new CoordinatorDecision(
            [.. dead.Select(node => new LivenessResult(node, LivenessState.Dead, "proven"))], MoveScope.Balancing, InitialNodeCount: 1, MaxMovesInFlight: 8).Apply(table);
}
