using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Nodes;

/// <summary>What the node wants to be in the member list. Used under the node's lock.</summary>
/// <param name="options">The node.</param>
internal sealed class Membership(NodeOptions options)
{
    private long? _wantedSince;
    private bool _hasEnded;

    /// <summary>What the node wants.</summary>
    public MemberGoal Goal { get; private set; }

    /// <summary>Whether the node may have the role of the coordinator: not when it leaves soon.</summary>
    public bool MayCoordinate => Goal <= MemberGoal.Drained;

    /// <summary>Raises the goal.</summary>
    public void Aim(MemberGoal goal) => Goal = goal > Goal ? goal : Goal;

    /// <summary>Whether the list shows that this life has left.</summary>
    public static bool HasLeft(ClusterTable table, NodeId self) =>
        table.FindMember(self) is { State: MemberState.Gone };

    /// <summary>Returns the member as the list should show it; null: it shows it.</summary>
    /// <param name="table">The table.</param>
    /// <param name="member">The member that the list shows; null: none.</param>
    /// <param name="isEmpty">Tells whether the node holds no replica any more.</param>
    public ClusterMember? FindWanted(ClusterTable table, ClusterMember? member, Func<bool> isEmpty)
    {
        if (_hasEnded)
            return null;
        var wanted = member switch
        {
            { State: not MemberState.Gone } when Goal == MemberGoal.Gone => member with { State = MemberState.Gone },

            // No table may list it, so neither the coordinator nor the store is asked again and again.
            null when options.Member.Protocol < table.Protocol => null,

            // A node that drains before it has joined may have asked already. So it joins and leaves in order.
            null => options.Member,
            { State: MemberState.Joining } => member with { State = MemberState.Active },
            { State: MemberState.Active } when Goal != MemberGoal.Active =>
                member with { State = MemberState.Draining },
            { State: MemberState.Draining } when Goal == MemberGoal.GoneWhenEmpty
                && isEmpty() && !table.Partitions.Any(entry => entry.Names(member.Slot)) =>
                member with { State = MemberState.Gone },
            _ => null,
        };
        if (wanted is null)
            _wantedSince = null;
        return wanted;
    }

    /// <summary>Whether the coordinator has not done it for so long that the node does it.</summary>
    public bool IsOverdue(Moment now)
    {
        _wantedSince ??= now.Ticks;
        return Goal == MemberGoal.Gone || now.Ticks - _wantedSince >= 2 * options.Times.Direct.Ticks;
    }

    /// <summary>The list does not show this life any more, or as gone. It never comes back.</summary>
    public void End() => _hasEnded = true;

    /// <summary>Starts the wait for the coordinator again.</summary>
    public void Retry() => _wantedSince = null;
}
