using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Frames;

/// <summary>A node asks the coordinator to enter it, or its new state, into the member list. Immutable.</summary>
/// <param name="Member">The member as it should be; the slot counts only for a member of the list.</param>
internal sealed record MemberAsk(ClusterMember Member)
{
    /// <summary>The states of a node that joins.</summary>
    public EquatableArray<StatePlacement> States { get; init; }

    /// <summary>Enters the member into a table. A state only goes forward, and the version stays.</summary>
    public ClusterTable Enter(ClusterTable table)
    {
        if (table.FindMember(Member.Node) is { } known)
            return Member.State > known.State ? table.WithMember(known with { State = Member.State }) : table;
        var hasRoom = table.Members.Length < ClusterTable.MaxMembers;
        var isUnderstood = Member.Protocol >= table.Protocol;
        return hasRoom && isUnderstood && Member.State is (MemberState.Joining or MemberState.Active)
            ? table.WithMember(Member with { Slot = table.FindFreeSlot() }).WithStates(States.Items)
            : table;
    }
}
