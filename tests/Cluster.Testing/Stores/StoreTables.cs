using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Testing.Stores;

/// <summary>Makes the properties of a cluster, and tables that are legal successors of each other. Stateless.</summary>
public static class StoreTables
{
    /// <summary>The properties of a new cluster.</summary>
    /// <param name="clusterName">The cluster's name.</param>
    /// <param name="partitionCount">The number of partitions.</param>
    public static ClusterMeta NewMeta(string clusterName, int partitionCount = 16) =>
        new(Guid.NewGuid(), clusterName, partitionCount, 0xFEED_5EED_0BAD_CAFE, ClusterMeta.CurrentFormatVersion);

    /// <summary>A legal successor: one more member, in state joining.</summary>
    /// <param name="table">The table to follow.</param>
    /// <param name="name">The new member's name.</param>
    public static ClusterTable WithNewMember(ClusterTable table, string name = "node")
    {
        ArgumentNullException.ThrowIfNull(table);
        var slot = table.Members.Length == 0 ? 1 : table.Members.Max(member => member.Slot.Value) + 1;
        var member = new ClusterMember(
            new NodeSlot((ushort)slot), NodeId.NewIncarnation($"{name}-{slot}"), $"http://127.0.0.1:{5_000 + slot}",
            $"127.0.0.1:{6_000 + slot}", new EquatableArray<string>(["Shop.ICart", "Shop.IOrders"]), MemberState.Joining);
        return Next(table) with { Members = table.Members.Add(member) };
    }

    /// <summary>A legal successor: the member with this slot becomes active.</summary>
    /// <param name="table">The table to follow.</param>
    /// <param name="slot">The member's slot.</param>
    public static ClusterTable WithActive(ClusterTable table, NodeSlot slot)
    {
        ArgumentNullException.ThrowIfNull(table);
        return Next(table) with
        {
            Members = [.. table.Members.Select(m => m.Slot == slot ? m with { State = MemberState.Active } : m)],
        };
    }

    /// <summary>A legal successor: the partitions without an owner get their first one.</summary>
    /// <param name="table">The table to follow.</param>
    /// <param name="owner">The slot of an active member.</param>
    public static ClusterTable WithFirstOwner(ClusterTable table, NodeSlot owner)
    {
        ArgumentNullException.ThrowIfNull(table);
        var owned = new PartitionEntry(new Epoch(1), owner, new EquatableArray<NodeSlot>([owner]), null, 0);
        return Next(table) with { Partitions = [.. table.Partitions.Select(e => e.Primary is null ? owned : e)] };
    }

    /// <summary>The member as a node of this library lists itself: with the newest version of the protocol.</summary>
    /// <param name="member">A member of the first version.</param>
    public static ClusterMember Newest(ClusterMember member)
    {
        ArgumentNullException.ThrowIfNull(member);
        return member with { Protocol = ProtocolVersion.Current };
    }

    /// <summary>The same contents at the next version, with a new nonce of the proposer.</summary>
    /// <param name="table">The table to follow.</param>
    public static ClusterTable Next(ClusterTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        return table with { Version = table.Version + 1, ProposerNonce = Guid.NewGuid() };
    }

    /// <summary>Fails the test unless both tables have equal contents.</summary>
    /// <param name="expected">The table that should be stored.</param>
    /// <param name="found">The table that was read.</param>
    public static void CheckSame(ClusterTable expected, ClusterTable found)
    {
        ArgumentNullException.ThrowIfNull(expected);
        ArgumentNullException.ThrowIfNull(found);
        Xunit.Assert.Equal((expected.Version, expected.ProposerNonce), (found.Version, found.ProposerNonce));
        Xunit.Assert.Equal(expected.Members.AsEnumerable(), found.Members.AsEnumerable());
        Xunit.Assert.Equal(expected.Partitions.AsEnumerable(), found.Partitions.AsEnumerable());
    }
}
