namespace Cluster.StateStore.Hosting.Tables;

/// <summary>The member side of a table change: which member lists may follow one another, and which member state each
/// role needs. Made for one check; not shared.</summary>
internal sealed class MemberTransitions
{
    private readonly ClusterTable _current;
    private readonly ClusterTable _successor;
    private readonly Dictionary<NodeSlot, ClusterMember> _before = [];
    private readonly Dictionary<NodeSlot, ClusterMember> _after = [];

    public MemberTransitions(ClusterTable current, ClusterTable successor)
    {
        _current = current;
        _successor = successor;
        foreach (var member in current.Members)
            _before[member.Slot] = member;
        foreach (var member in successor.Members)
            _after[member.Slot] = member;
    }

    /// <summary>Returns what is wrong with the successor's member list, or null.</summary>
    public string? FindViolation() =>
        FindMalformation()
        ?? _successor.Members.Select(FindMemberViolation).FirstOrDefault(violation => violation is not null)
        ?? _current.Members.Select(FindRemovalViolation).FirstOrDefault(violation => violation is not null);

    /// <summary>Returns why the members may not take the roles that a change gives them, or null.</summary>
    public string? FindViolation(PartitionChange change, PartitionEntry from, PartitionEntry to)
    {
        if (to.Primary is { } primary && !_after.ContainsKey(primary))
            return $"primary {primary} is no member";
        if (to.Joining is { } joining && !_after.ContainsKey(joining))
            return $"joining {joining} is no member";
        foreach (var slot in to.InSync.Items)
        {
            if (!_after.ContainsKey(slot))
                return $"in-sync {slot} is no member";
        }

        return change switch
        {
            PartitionChange.FirstAssignment => to.InSync.Select(RequireActive).FirstOrDefault(each => each is not null),
            PartitionChange.PlannedMove => RequireActive(to.Primary!.Value),
            PartitionChange.TakeOver => RequireAlive(to.Primary!.Value),
            PartitionChange.Join => RequireAlive(from.Joining!.Value),
            PartitionChange.Target => JudgeTarget(from, to),
            PartitionChange.DeclareLost => RequireActive(to.Primary!.Value) ?? RequireAllGone(from),
            _ => null,
        };
    }

    // A target that has begun to drain since may stay named until the coordinator replaces it.
    private string? JudgeTarget(PartitionEntry from, PartitionEntry to) =>
        (to.Joining is { } joining && joining != from.Joining ? RequireActive(joining) : null)
        ?? (to.Next is { } next && next != from.Next ? RequireActive(next) : null);

    private string? FindMalformation()
    {
        if (_successor.Members.Length > ClusterTable.MaxMembers)
            return $"{_successor.Members.Length} members are more than {ClusterTable.MaxMembers}";
        for (var index = 1; index < _successor.Members.Length; index++)
        {
            if (_successor.Members[index - 1].Slot.Value >= _successor.Members[index].Slot.Value)
                return "members are not in ascending order of their slots";
        }

        var nodes = _successor.Members.Select(member => member.Node).Distinct().Count();
        return nodes == _successor.Members.Length ? null : "a node is listed in two slots";
    }

    private string? FindMemberViolation(ClusterMember member)
    {
        if (!_before.TryGetValue(member.Slot, out var previous))
        {
            if (member.State is not (MemberState.Joining or MemberState.Active))
                return $"new member {member.Node} starts as {member.State}";
            return _current.Members.Any(known => known.Node == member.Node) ? $"{member.Node} changes its slot" : null;
        }

        if (previous.Node != member.Node)
            return $"slot {member.Slot} passes from {previous.Node} to {member.Node} in one step";
        if ((previous.Address, previous.LivenessAddress, previous.PeerAddress)
            != (member.Address, member.LivenessAddress, member.PeerAddress))
            return $"{member.Node} changes its address; a new address needs a new incarnation";
        if (previous.WantedBackups != member.WantedBackups)
            return $"{member.Node} changes the backups that its states want; that needs a new incarnation";
        if (previous.Protocol != member.Protocol)
            return $"{member.Node} changes the protocol that it speaks; that needs a new incarnation";
        return member.State < previous.State
            ? $"{member.Node} goes back from {previous.State} to {member.State}"
            : null;
    }

    private string? FindRemovalViolation(ClusterMember member)
    {
        if (_after.ContainsKey(member.Slot) || member.State == MemberState.Gone)
            return null;
        return $"{member.Node} is removed while {member.State}; only a member that is gone can be removed";
    }

    private string? RequireActive(NodeSlot slot)
    {
        var member = _after[slot];
        return member.State == MemberState.Active ? null : $"{member.Node} is {member.State}, not active";
    }

    private string? RequireAlive(NodeSlot slot)
    {
        var member = _after[slot];
        return member.State is MemberState.Active or MemberState.Draining ? null : $"{member.Node} is {member.State}";
    }

    private string? RequireAllGone(PartitionEntry from)
    {
        foreach (var slot in from.InSync.Items)
        {
            if (_after.TryGetValue(slot, out var member) && member.State != MemberState.Gone)
                return $"declared lost although in-sync {member.Node} is {member.State}, not gone";
        }

        return null;
    }
}
