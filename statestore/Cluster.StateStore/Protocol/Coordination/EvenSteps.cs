using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Frames;

namespace Cluster.StateStore.Protocol.Coordination;

/// <summary>The steps of moves that make the load even. Every partition has all its copies meanwhile, so no client
/// waits for such a step. The coordinator decides urgent wishes by themselves, so they do not count here.</summary>
internal static class EvenSteps
{
    /// <summary>Whether only such steps are asked for, and others are still under way.</summary>
    /// <param name="table">The table that stands.</param>
    /// <param name="proposals">What the nodes have asked for.</param>
    public static bool AreAwaited(ClusterTable table, IEnumerable<Proposal> proposals)
    {
        HashSet<PartitionId> ready = [];
        foreach (var proposal in proposals.Where(proposal => proposal.Version == table.Version))
        {
            foreach (var wish in proposal.Wishes)
            {
                if (!wish.IsUrgentIn(table) && !IsEven(table, wish))
                    return false;
                ready.Add(wish.Partition);
            }
        }

        for (var index = 0; index < table.Partitions.Length; index++)
        {
            if (IsUnderWay(table.Partitions[index]) && !ready.Contains(new PartitionId(index)))
                return true;
        }

        return false;
    }

    // A join without a member that leaves gives a partition a copy that it lacks.
    private static bool IsEven(ClusterTable table, Wish wish) =>
        wish.Change is PartitionChange.Join or PartitionChange.Shrink
        && wish.FindEntry(table)?.Leaving is { } leaving
        && table.FindMember(leaving)?.State == MemberState.Active;

    private static bool IsUnderWay(PartitionEntry entry) =>
        entry is { Joining: not null } or { Next: not null } or { Leaving: not null };
}
