using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Coordination;

/// <summary>How many primaries and replicas each available member has, planned moves counted as done. Used by one
/// decision.</summary>
internal sealed class Loads
{
    private readonly Dictionary<NodeSlot, (int Primaries, int Replicas)> _loads = [];

    /// <summary>Counts the entries of a table.</summary>
    /// <param name="members">The members that can take roles.</param>
    /// <param name="entries">The entries.</param>
    public Loads(IEnumerable<ClusterMember> members, IEnumerable<PartitionEntry> entries)
    {
        foreach (var member in members)
            _loads[member.Slot] = default;
        foreach (var entry in entries)
            Count(entry, 1);
    }

    /// <summary>The members that can take roles.</summary>
    public IEnumerable<NodeSlot> Members => _loads.Keys;

    public int MemberCount => _loads.Count;

    public bool Contains(NodeSlot member) => _loads.ContainsKey(member);

    public int PrimariesOf(NodeSlot member) => _loads.GetValueOrDefault(member).Primaries;

    public int ReplicasOf(NodeSlot member) => _loads.GetValueOrDefault(member).Replicas;

    /// <summary>Counts a new entry of a partition instead of its old one.</summary>
    public void Replace(PartitionEntry from, PartitionEntry to)
    {
        Count(from, -1);
        Count(to, 1);
    }

    private void Count(PartitionEntry entry, int sign)
    {
        foreach (var slot in entry.InSync.Items)
        {
            if (slot != entry.Leaving)
                Add(slot, 0, sign);
        }

        if (entry.Joining is { } joining)
            Add(joining, 0, sign);
        if ((entry.Next ?? entry.Primary) is { } primary)
            Add(primary, sign, 0);
    }

    private void Add(NodeSlot slot, int primaries, int replicas)
    {
        if (_loads.TryGetValue(slot, out var load))
            _loads[slot] = (load.Primaries + primaries, load.Replicas + replicas);
    }
}
