using System.Collections.Immutable;
using System.Text;
using Cluster.Slim.Hosting;

namespace Cluster.StateStore.Partitions;

/// <summary>
/// Chooses the primary that each partition should have. Pure: the same table gives the same plan on every node.
/// <list type="number">
/// <item>A partition stays with its primary while that is active and holds no more than its share allows.</item>
/// <item>What an overfull member must give up is what it ranks lowest in rendezvous order for.</item>
/// <item>Every partition without a place goes to the first member in rendezvous order that has room.</item>
/// <item>Members below the least share receive from the fullest, so that a newcomer is never left idle.</item>
/// </list>
/// </summary>
public static class PartitionAssignment
{
    private const double ShareTolerance = 0.05;

    /// <summary>Plans the primaries.</summary>
    /// <param name="table">Who is active, and who owns what now.</param>
    /// <returns>One member per partition, or null for all of them when no member is active.</returns>
    public static ImmutableArray<NodeSlot?> PlanPrimaries(ClusterTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        var candidates = table.Members.Where(member => member.State == MemberState.Active).ToArray();
        if (candidates.Length == 0)
            return [.. new NodeSlot?[table.Partitions.Length]];
        var plan = new AssignmentPlan(candidates, table.Partitions.Length);
        plan.KeepPresent(table.Partitions);
        plan.ReleaseAbove(ShareMax(table.Partitions.Length, candidates.Length));
        plan.PlaceHomeless(ShareMax(table.Partitions.Length, candidates.Length));
        plan.LevelUp(ShareMin(table.Partitions.Length, candidates.Length));
        return plan.ToPrimaries();
    }

    /// <summary>The most partitions that a plan gives to one member.</summary>
    /// <param name="partitions">How many partitions there are.</param>
    /// <param name="members">How many members share them.</param>
    public static int ShareMax(int partitions, int members) =>
        (int)Math.Ceiling(partitions * (1 + ShareTolerance) / members);

    /// <summary>The fewest partitions that a plan gives to one member.</summary>
    /// <param name="partitions">How many partitions there are.</param>
    /// <param name="members">How many members share them.</param>
    public static int ShareMin(int partitions, int members) =>
        (int)Math.Floor(partitions * (1 - ShareTolerance) / members);

    /// <summary>
    /// How much a member wants a partition. By its name, not its incarnation: a node that was restarted wants what it
    /// had.
    /// </summary>
    internal static ulong Score(ulong memberHash, int partition)
    {
        // The finalizer of SplitMix64: a bijection that spreads every input bit over the result.
        var mixed = memberHash + ((ulong)partition * 0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58_476D_1CE4_E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D0_49BB_1331_11EB;
        return mixed ^ (mixed >> 31);
    }

    internal static ulong HashOf(ClusterMember member) => XxHash3.Hash(Encoding.UTF8.GetBytes(member.Node.Name));
}
