using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Tests;

/// <summary>Makes tables for tests of pure functions, and legal successors of tables.</summary>
internal static class TestTables
{
    public const int PartitionCount = 64;

    public static ClusterTable Empty => ClusterTable.CreateEmpty(PartitionCount);

    public static ClusterMember Member(int number, MemberState state = MemberState.Active) => new(
        new NodeSlot((ushort)number),
        Node(number),
        $"http://127.0.0.1:{7000 + number}",
        $"127.0.0.1:{8000 + number}",
        default,
        state);

    public static NodeId Node(int number) => new($"n{number}", new Guid(number, 0, 0, new byte[8]));

    public static NodeSlot Slot(int number) => new((ushort)number);

    public static ClusterTable With(params ClusterMember[] members) => Empty with { Members = [.. members] };

    /// <summary>A table in which the active members share all partitions.</summary>
    public static ClusterTable Assigned(params ClusterMember[] members)
    {
        var table = With(members);
        NodeSlot[] active = [.. members.Where(one => one.State == MemberState.Active).Select(one => one.Slot)];
        return table with
        {
            Partitions = [.. table.Partitions.Select((one, index) => one.AssignFirst(active[index % active.Length]))],
        };
    }

    /// <summary>Makes the successor of a table as a proposer would store it. Fails if the rules forbid the
    /// change.</summary>
    public static ClusterTable Step(ClusterTable standing, Func<ClusterTable, ClusterTable> change)
    {
        var changed = change(standing);
        if (ReferenceEquals(changed, standing))
            return standing;
        var successor = changed with { Version = standing.Version + 1, ProposerNonce = Guid.NewGuid() };
        Assert.Null(PartitionTransitions.FindViolation(standing, successor));
        return successor;
    }

    public static ClusterTable WithState(this ClusterTable table, int number, MemberState state)
    {
        var member = table.FindMember(Slot(number))!;
        return table with { Members = table.Members.Replace(member, member with { State = state }) };
    }

    public static int CountOf(this ClusterTable table, int number) =>
        table.Partitions.Count(entry => entry.Primary == Slot(number));
}
