using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting.Deltas;

/// <summary>Who asks whom for the change to a version. The members stand in an order that depends on the version: the
/// first one reads the table from the store, and each other one asks the member above it in a tree. So each node gives
/// a change to a few nodes, however many there are, and the store gives the whole table to one of them. A node asks
/// only nodes before itself, also where two nodes know different members, so no two nodes wait for each other.
/// Stateless.</summary>
public static class DeltaTree
{
    /// <summary>How many nodes ask one node.</summary>
    public const int FanOut = 8;

    /// <summary>How many nodes one node asks before it reads the table from the store.</summary>
    public const int MaxSources = 3;

    /// <summary>The most that members times partitions are in a small cluster.</summary>
    public const int SmallMax = 1 << 13;

    /// <summary>Whether nodes tell each other the changes. The store gives the whole table of a small cluster to each
    /// of its members: together that is at most some 100 KB for a version, and no node waits for another one, which may
    /// be slow or dead.</summary>
    /// <param name="table">The newest table that is known.</param>
    public static bool IsUsed(ClusterTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        return (long)table.Members.Length * table.Partitions.Length > SmallMax;
    }

    /// <summary>The members to ask, the best one first.</summary>
    /// <param name="table">The newest table that is known.</param>
    /// <param name="self">Who asks; null or no member: a process that nobody asks.</param>
    /// <param name="version">The version that is wanted.</param>
    /// <param name="isAvoided">Whether a member failed to answer lately.</param>
    public static IEnumerable<ClusterMember> FindSources(
        ClusterTable table, NodeId? self, long version, Func<NodeId, bool> isAvoided)
    {
        ArgumentNullException.ThrowIfNull(table);
        ArgumentNullException.ThrowIfNull(isAvoided);
        var own = self is { } node ? table.FindMember(node) : null;
        var rank = own is null ? ulong.MaxValue : RankOf(own.Slot, version);
        (ulong Rank, ClusterMember Member)[] before =
        [
            .. table.Members
                .Where(member => member.State is MemberState.Active or MemberState.Draining && member != own)
                .Select(member => (RankOf(member.Slot, version), member))
                .Where(member => member.Item1 < rank && !isAvoided(member.member.Node)),
        ];
        if (before.Length == 0)
            return [];
        Array.Sort(before, static (left, right) => left.Rank.CompareTo(right.Rank));

        // A process that is no member stands at the end of the tree, at a place of its own.
        var seed = (ulong)(self?.Incarnation.GetHashCode() ?? Environment.ProcessId);
        var place = own is null
            ? (int)(Mix(seed ^ (ulong)version) % (ulong)before.Length)
            : (before.Length - 1) / FanOut;
        return Enumerable.Range(0, Math.Min(MaxSources, before.Length))
            .Select(offset => (place + (offset * Math.Max(1, before.Length / MaxSources))) % before.Length)
            .Select(index => before[index].Member);
    }

    // Two slots never have the same rank, because the mixing can be undone.
    private static ulong RankOf(NodeSlot slot, long version) => Mix(((ulong)version << 16) | slot.Value);

    private static ulong Mix(ulong value)
    {
        value += 0x9E37_79B9_7F4A_7C15;
        value = (value ^ (value >> 30)) * 0xBF58_476D_1CE4_E5B9;
        value = (value ^ (value >> 27)) * 0x94D0_49BB_1331_11EB;
        return value ^ (value >> 31);
    }
}
