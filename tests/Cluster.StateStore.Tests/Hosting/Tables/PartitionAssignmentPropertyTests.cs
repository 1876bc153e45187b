using Cluster.StateStore.Hosting.Tables;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Hosting.Tables;

public sealed class PartitionAssignmentPropertyTests
{
    private const int Seeds = 40;

    [Fact]
    public void PlanPrimaries_RandomMembershipChanges_StaysBalancedAndLegalAndMovesLittle()
    {
        for (var seed = 0; seed < Seeds; seed++)
        {
            var random = new Random(seed);
            var table = Table(1 << random.Next(0, 9), [.. Enumerable.Range(0, random.Next(1, 12)).Select(s => Member(s))]);
            for (var step = 0; step < 8; step++)
            {
                CheckPlan(table, $"seed {seed}, step {step}");
                var assigned = table.Assign();
                table = Churn(assigned, random);
            }
        }
    }

    [Fact]
    public void PlanPrimaries_SameTable_GivesTheSamePlan()
    {
        var table = Table(256, Member(1), Member(2), Member(3));
        Assert.Equal(PartitionAssignment.PlanPrimaries(table).ToArray(), PartitionAssignment.PlanPrimaries(table).ToArray());
    }

    [Fact]
    public void PlanPrimaries_NobodyActive_GivesNobodyAnything()
    {
        var plan = PartitionAssignment.PlanPrimaries(Table(4, Member(1, MemberState.Joining)));
        Assert.All(plan, primary => Assert.Null(primary));
    }

    [Fact]
    public void PlanPrimaries_NodeRestartsUnderItsName_GetsBackWhatItHad()
    {
        var table = Table(1_024, Member(1), Member(2), Member(3)).Assign();
        var before = Owned(table, 2);
        var restarted = Member(7, name: "n2");
        var after = table with { Members = [Member(1), Member(2, MemberState.Gone), Member(3), restarted] };
        var plan = PartitionAssignment.PlanPrimaries(after);
        var regained = before.Count(partition => plan[partition] == Slot(7));

        // The other members are below their cap and keep their partitions, so the restarted node gets nearly all of its
        // former ones back.
        Assert.InRange(regained, before.Count * 80 / 100, before.Count);
    }

    [Fact]
    public void PlanPrimaries_TwentyOneMembersAfterTwenty_LeavesNobodyIdle()
    {
        var table = Table(1_024, [.. Enumerable.Range(0, 20).Select(s => Member(s))]).Assign();
        var plan = PartitionAssignment.PlanPrimaries(table.WithMember(Member(20)));
        Assert.True(plan.Count(primary => primary == Slot(20)) >= PartitionAssignment.MinShare(1_024, 21));
    }

    private static List<int> Owned(ClusterTable table, int slot) =>
        [.. Enumerable.Range(0, table.Partitions.Length).Where(p => table.Partitions[p].Primary == Slot(slot))];

    private static void CheckPlan(ClusterTable table, string when)
    {
        var active = table.Members.Where(m => m.State == MemberState.Active).Select(m => m.Slot).ToList();
        var plan = PartitionAssignment.PlanPrimaries(table).Select(slot => slot!.Value).ToArray();
        var (most, least) = (PartitionAssignment.MaxShare(plan.Length, active.Count),
            PartitionAssignment.MinShare(plan.Length, active.Count));
        var before = active.ToDictionary(slot => slot, slot => table.Partitions.Count(entry => entry.Primary == slot));
        foreach (var slot in active)
        {
            var load = plan.Count(owner => owner == slot);
            Assert.True(load <= most && load >= least, $"{when}: member {slot} has {load}, not {least} to {most}");
        }

        var moved = table.Partitions.Where((entry, p) => entry.Primary is not null && entry.Primary != plan[p]).Count();
        var homeless = table.Partitions.Count(entry => entry.Primary is { } slot && !active.Contains(slot));
        var excess = before.Values.Sum(load => Math.Max(0, load - most));
        var deficit = before.Values.Sum(load => Math.Max(0, least - load));
        Assert.True(moved <= homeless + excess + deficit, $"{when}: {moved} moves for {homeless}+{excess}+{deficit}");
    }

    private static ClusterTable Churn(ClusterTable table, Random random)
    {
        var active = table.Members.Where(m => m.State == MemberState.Active).ToList();
        if (active.Count > 1 && random.Next(2) == 0)
            return table.WithMember(active[random.Next(active.Count)] with { State = MemberState.Gone });
        var slot = table.Members[^1].Slot.Value + 1;
        return table.WithMember(Member(slot));
    }
}
