using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Frames;
using Xunit.Abstractions;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Coordination;

/// <summary>Random histories of joins, drains, deaths and moves. Each table must be a legal successor, and a partition
/// is lost only when all of its in-sync members are gone. At the end of a history nothing more changes; then the load
/// is even, and members that drained or died have nothing.</summary>
public sealed class CoordinatorPolicyPropertyTests(ITestOutputHelper output)
{
    private const int HistoryCount = 60;
    private const int StepCount = 120;

    [Fact]
    public void Plan_RandomHistories_FollowTheRulesAndConverge()
    {
        var losses = 0;
        for (var seed = 1; seed <= HistoryCount; seed++)
            losses += Check(seed);
        output.WriteLine($"{losses} losses in {HistoryCount} histories");
        Assert.True(losses > 0);
    }

    private static int Check(int seed)
    {
        var random = new Random(seed);
        var backups = random.Next(3);
        var table = Table(Decision.PartitionCount);
        var number = 0;
        try
        {
            for (var step = 0; step < StepCount; step++)
                table = Step(table, RandomDecision(table, random, ref number) with { Backups = backups });
            table = Step(table, Joining(table, ref number) with { Backups = backups });
            table = Settle(table, backups);
            CheckEven(table, backups);
            return table.Partitions.Sum(entry => entry.LossCount);
        }
        catch (Exception failure)
        {
            throw new Xunit.Sdk.XunitException($"Seed {seed}: {failure}");
        }
    }

    private static Decision RandomDecision(ClusterTable table, Random random, ref int number)
    {
        var active = table.Members.Where(member => member.State == MemberState.Active).ToArray();
        var living = table.Members
            .Where(member => member.State is MemberState.Active or MemberState.Draining)
            .ToArray();
        return random.Next(10) switch
        {
            0 when active.Length < 6 => Joining(table, ref number),
            1 when active.Length > 1 => new Decision
            {
                Asks = [active[random.Next(active.Length)] with { State = MemberState.Draining }],
            },
            2 when living.Length > 0 && random.Next(3) == 0 => new Decision
            {
                Dead = [living[random.Next(living.Length)].Node],
                IsSettled = false,
            },
            < 7 => new Decision { Wishes = [.. WishesOf(table).Where(_ => random.Next(2) == 0)] },
            _ => new Decision { IsSettled = random.Next(2) == 0 },
        };
    }

    private static Decision Joining(ClusterTable table, ref int number)
    {
        var waiting = table.Members.Where(member => member.State == MemberState.Joining).ToArray();
        return new Decision
        {
            Asks = waiting.Length > 0
                ? [.. waiting.Select(member => member with { State = MemberState.Active })]
                : [Member(0, MemberState.Active, $"n{number++}") with { Node = NodeId.NewIncarnation($"n{number}") }],
        };
    }

    private static ClusterTable Settle(ClusterTable table, int backups)
    {
        for (var round = 0; round < 500; round++)
        {
            var before = table;
            var decision = new Decision { Wishes = [.. WishesOf(table)], Asks = [.. AsksOf(table)] };
            table = Step(table, decision with { Backups = backups });
            if (ReferenceEquals(before, table))
                return table;
        }

        throw new InvalidOperationException("Not quiet after 500 rounds.");
    }

    // What the replicas of healthy nodes want.
    private static IEnumerable<(NodeSlot From, Wish Wish)> WishesOf(ClusterTable table)
    {
        for (var index = 0; index < table.Partitions.Length; index++)
        {
            var entry = table.Partitions[index];
            if (WishOf(table, new PartitionId(index), entry) is { } wish)
                yield return (wish.Change == PartitionChange.TakeOver ? wish.Member : entry.Primary!.Value, wish);
        }
    }

    private static Wish? WishOf(ClusterTable table, PartitionId partition, PartitionEntry entry)
    {
        if (entry.Primary is not { } primary)
            return null;
        var living = entry.InSync.Items
            .Where(slot => table.FindMember(slot) is { State: not MemberState.Gone })
            .ToArray();
        if (!living.Contains(primary))
            return living.Length > 0 ? Make(PartitionChange.TakeOver, living[0]) : null;
        if (living.Length < entry.InSync.Count)
            return Make(PartitionChange.Shrink, entry.InSync.Items.Except(living).First());
        if (entry.Next is { } next
            && entry.InSync.Items.Contains(next)
            && table.FindMember(next)!.State == MemberState.Active)
            return Make(PartitionChange.PlannedMove, next);
        if (entry is { Joining: { } joining, HasPlace: true })
        {
            return table.FindMember(joining) is { State: MemberState.Active or MemberState.Draining }
                ? Make(PartitionChange.Join, joining)
                : Make(PartitionChange.Target, joining);
        }

        return entry.Leaving is { } leaving && leaving != primary ? Make(PartitionChange.Shrink, leaving) : null;

        Wish Make(PartitionChange change, NodeSlot member) => new(partition, change, member, entry.Epoch.Value);
    }

    private static IEnumerable<ClusterMember> AsksOf(ClusterTable table) => table.Members
        .Where(member => member.State == MemberState.Draining)
        .Where(member => !table.Partitions.Any(entry => entry.Names(member.Slot)))
        .Select(member => member with { State = MemberState.Gone });

    private static ClusterTable Step(ClusterTable table, Decision decision)
    {
        // A primary that has just died asks for nothing.
        var wishes = decision.Wishes.Where(each => !decision.Dead.Contains(table.FindMember(each.From)!.Node));
        var next = (decision with { Self = SelfOf(table), Wishes = [.. wishes] }).Apply(table);
        for (var index = 0; index < table.Partitions.Length; index++)
        {
            var (before, after) = (table.Partitions[index], next.Partitions[index]);
            var isLost = after.LossCount > before.LossCount;
            var isProven = before.InSync.Count > 0
                && before.InSync.Items.All(slot => next.FindMember(slot) is null or { State: MemberState.Gone });
            Assert.True(!isLost || isProven, $"partition {index} is lost, though one of {before} lives");
        }

        return next;
    }

    private static NodeSlot SelfOf(ClusterTable table) =>
        table.Members.FirstOrDefault(member => member.State == MemberState.Active)?.Slot ?? Slot(0);

    private static void CheckEven(ClusterTable table, int backups)
    {
        Assert.All(table.Members, member => Assert.Equal(MemberState.Active, member.State));
        var copies = Math.Min(backups + 1, table.Members.Length);
        Assert.All(table.Partitions, entry => Assert.Equal((copies, null, null, null), (
            entry.InSync.Count, entry.Joining, entry.Next, entry.Leaving)));
        CheckEven(table, (entry, slot) => entry.Primary == slot);
        CheckEven(table, (entry, slot) => entry.InSync.Items.Contains(slot));
    }

    private static void CheckEven(ClusterTable table, Func<PartitionEntry, NodeSlot, bool> counts)
    {
        var loads = table.Members
            .Select(member => table.Partitions.Count(entry => counts(entry, member.Slot)))
            .ToArray();
        Assert.InRange(loads.Max() - loads.Min(), 0, 1);
    }
}
