using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Peers;

/// <summary>Which members exchange beacons. In a small cluster all do. In a large one those do that have a replica of
/// the same partition, because they owe each other leases, and each member does so with the members next to it, so that
/// also a member without partitions is watched. The table alone decides it, so both sides of a pair know it.
/// Pure.</summary>
internal static class BeaconPairs
{
    /// <summary>How many members on each side of a member in the order of the slots watch it.</summary>
    public const int NeighbourCount = 4;

    /// <summary>Whether not all members exchange beacons.</summary>
    public static bool IsSparse(ClusterTable table, int allPairsMax) => table.Members.Length > allPairsMax;

    /// <summary>Returns the members with which a member exchanges beacons in a large cluster.</summary>
    public static HashSet<NodeSlot> FindWatched(ClusterTable table, NodeSlot self)
    {
        var watched = new HashSet<NodeSlot>();
        foreach (var entry in table.Partitions)
        {
            if (!entry.Names(self))
                continue;
            watched.UnionWith(entry.InSync.Items);
            if (entry.Joining is { } joining)
                watched.Add(joining);
        }

        var living = FindLiving(table);
        var place = Array.IndexOf(living, self);
        for (var distance = 1; place >= 0 && distance <= NeighbourCount; distance++)
        {
            watched.Add(living[(place + distance) % living.Length]);
            watched.Add(living[(place + living.Length - (distance % living.Length)) % living.Length]);
        }

        watched.Remove(self);
        return watched;
    }

    /// <summary>Returns for each member of a large cluster the members whose word counts when it is said to be silent:
    /// those that watch it, but for those that only copy a partition to it or get a copy from it. They may have begun
    /// to watch it just now, and many of them would say for a while that they do not miss it.</summary>
    public static Dictionary<NodeSlot, HashSet<NodeSlot>> FindJudges(ClusterTable table)
    {
        var judges = new Dictionary<NodeSlot, HashSet<NodeSlot>>();
        foreach (var entry in table.Partitions)
        {
            for (var one = 0; one < entry.InSync.Count; one++)
            {
                for (var other = one + 1; other < entry.InSync.Count; other++)
                    Add(entry.InSync[one], entry.InSync[other]);
            }
        }

        var living = FindLiving(table);
        for (var place = 0; place < living.Length; place++)
        {
            for (var distance = 1; distance <= NeighbourCount; distance++)
                Add(living[place], living[(place + distance) % living.Length]);
        }

        return judges;

        void Add(NodeSlot one, NodeSlot other)
        {
            if (one == other)
                return;
            JudgesOf(one).Add(other);
            JudgesOf(other).Add(one);
        }

        HashSet<NodeSlot> JudgesOf(NodeSlot slot) =>
            CollectionsMarshal.GetValueRefOrAddDefault(judges, slot, out _) ??= [];
    }

    private static NodeSlot[] FindLiving(ClusterTable table) =>
        [.. table.Members.Where(member => member.State != MemberState.Gone).Select(member => member.Slot)];
}
