using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Coordination;

/// <summary>How many primaries and replicas each available member has, planned moves counted as done. Used by one
/// decision.</summary>
internal sealed class Loads
{
    private readonly NodeSlot[] _members;
    private readonly Dictionary<NodeSlot, int> _places;
    private readonly int[] _primaries;
    private readonly int[] _replicas;
    private readonly LeastLoad _leastPrimaries;
    private readonly LeastLoad _leastReplicas;

    /// <summary>Counts the entries of a table.</summary>
    /// <param name="members">The members that can take roles.</param>
    /// <param name="entries">The entries.</param>
    public Loads(IEnumerable<ClusterMember> members, IEnumerable<PartitionEntry> entries)
    {
        _members = [.. members.Select(member => member.Slot)];
        _places = _members.Select((slot, place) => (slot, place)).ToDictionary(pair => pair.slot, pair => pair.place);
        (_primaries, _replicas) = (new int[_members.Length], new int[_members.Length]);
        _leastPrimaries = new LeastLoad(_members.Length);
        _leastReplicas = new LeastLoad(_members.Length);
        foreach (var entry in entries)
            Count(entry, 1);
    }

    /// <summary>The members that can take roles.</summary>
    public ReadOnlySpan<NodeSlot> Members => _members;

    /// <summary>The primaries of each of the members.</summary>
    public ReadOnlySpan<int> Primaries => _primaries;

    /// <summary>The replicas of each of the members.</summary>
    public ReadOnlySpan<int> Replicas => _replicas;

    public int MemberCount => _members.Length;

    /// <summary>How many primaries the member has that has the fewest.</summary>
    public int LeastPrimaries => _leastPrimaries.Value;

    /// <summary>How many replicas the member has that has the fewest.</summary>
    public int LeastReplicas => _leastReplicas.Value;

    public bool Contains(NodeSlot member) => _places.ContainsKey(member);

    public int PrimariesOf(NodeSlot member) => _places.TryGetValue(member, out var place) ? _primaries[place] : 0;

    public int ReplicasOf(NodeSlot member) => _places.TryGetValue(member, out var place) ? _replicas[place] : 0;

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
                Add(_replicas, _leastReplicas, slot, sign);
        }

        if (entry.Joining is { } joining)
            Add(_replicas, _leastReplicas, joining, sign);
        if ((entry.Next ?? entry.Primary) is { } primary)
            Add(_primaries, _leastPrimaries, primary, sign);
    }

    private void Add(int[] loads, LeastLoad least, NodeSlot slot, int sign)
    {
        if (!_places.TryGetValue(slot, out var place))
            return;
        least.Change(loads[place], loads[place] + sign);
        loads[place] += sign;
    }
}
