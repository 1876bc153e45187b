using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Tests.Hosting.Tables;

/// <summary>Makes members and tables for tests. Stateless.</summary>
internal static class TableFixture
{
    public static ClusterMember Member(int slot, MemberState state = MemberState.Active, string? name = null) => new(
        new NodeSlot((ushort)slot),
        new NodeId(name ?? $"n{slot}", new Guid(slot, 0, 0, new byte[8])),
        $"http://127.0.0.1:{5000 + slot}",
        $"127.0.0.1:{6000 + slot}",
        new EquatableArray<string>(["Shop.ICart", "Shop.ICatalog"]),
        state);

    public static ClusterTable Table(int partitions, params ClusterMember[] members) =>
        ClusterTable.CreateEmpty(partitions) with { Members = [.. members] };

    public static NodeSlot Slot(int value) => new((ushort)value);

    /// <summary>Gives the partitions to the active members in turn.</summary>
    public static ClusterTable Assign(this ClusterTable table)
    {
        NodeSlot[] active =
            [.. table.Members.Where(member => member.State == MemberState.Active).Select(member => member.Slot)];
        var entries = table.Partitions.Select((entry, index) => Follow(entry, active[index % active.Length]));
        return table.StartSuccessor(Guid.NewGuid()) with { Partitions = [.. entries] };
    }

    private static PartitionEntry Follow(PartitionEntry entry, NodeSlot owner)
    {
        if (entry.Primary is null)
            return entry.AssignFirst(owner);
        return entry.Primary == owner ? entry : entry.DeclareLost(owner);
    }
}
