using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Recovery;

/// <summary>Decides whether a node writes its table into a store that was emptied. A table that is older than the one
/// that the store has lost would take acknowledged changes back, so every member must report its own version first. One
/// node writes: the one with the newest table, and among several the one with the smallest slot. Immutable.</summary>
/// <param name="Action">What this node does.</param>
/// <param name="Missing">The members that everybody waits for.</param>
internal sealed record RestoreDecision(RestoreAction Action, ImmutableArray<NodeId> Missing)
{
    /// <summary>How much higher the version of the restored table is. A change whose outcome nobody has learned may
    /// have taken the next version before the store was emptied, so the restored table takes the one
    /// after it.</summary>
    public const int VersionStep = 2;

    /// <summary>Decides for one node.</summary>
    /// <param name="clusterId">The cluster of this node.</param>
    /// <param name="self">This node.</param>
    /// <param name="table">The newest table of this node.</param>
    /// <param name="reports">For each other member of this table, what it has reported, or that it is dead.</param>
    public static RestoreDecision Make(
        Guid clusterId, NodeId self, ClusterTable table, IReadOnlyCollection<MemberReport> reports)
    {
        var known = reports.ToDictionary(report => report.Node);
        var missing = ImmutableArray.CreateBuilder<NodeId>();
        var writer = (table.Version, Slot: table.FindMember(self)?.Slot.Value ?? int.MaxValue);
        var isWriter = table.FindMember(self) is { State: not MemberState.Gone };
        foreach (var member in table.Members)
        {
            if (member.State == MemberState.Gone || member.Node == self)
                continue;
            var report = known.GetValueOrDefault(member.Node);
            if (report is { IsProvenDead: true })
                continue;
            if (report?.Report is not { FindsStoreEmptied: true } told
                || told.ClusterId != clusterId
                || told.Incarnation != member.Node.Incarnation)
                missing.Add(member.Node);
            else if (told.TableVersion > writer.Version
                || (told.TableVersion == writer.Version && member.Slot.Value < writer.Slot))
                isWriter = false;
        }

        if (missing.Count > 0)
            return new RestoreDecision(RestoreAction.WaitForMembers, missing.ToImmutable());
        return new RestoreDecision(isWriter ? RestoreAction.Write : RestoreAction.LeaveToOther, []);
    }

    /// <summary>The table that is written: the same contents with a version that nobody has seen.</summary>
    /// <param name="table">The table of the node that writes.</param>
    /// <param name="nonce">New for each attempt.</param>
    public static ClusterTable Restore(ClusterTable table, Guid nonce) =>
        table with { Version = checked(table.Version + VersionStep), ProposerNonce = nonce };
}
