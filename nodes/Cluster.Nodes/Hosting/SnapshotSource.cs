using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Hosting;

/// <summary>Describes the newest table in the public types. Makes one snapshot for each table, at the first request;
/// the field is published whole.</summary>
internal sealed class SnapshotSource(ITableView view)
{
    private volatile Pair? _newest;

    public ClusterSnapshot Current
    {
        get
        {
            var table = view.Current;
            var newest = _newest;
            if (newest is null || !ReferenceEquals(newest.Table, table))
                _newest = newest = new Pair(table, Describe(table));
            return newest.Snapshot;
        }
    }

    /// <summary>The description of a member. Null: there is no member, or it is gone.</summary>
    public NodeDescription? Find(ClusterMember? member) =>
        member is null ? null : Current.Nodes.FirstOrDefault(node => node.Node == member.Node);

    private static ClusterSnapshot Describe(ClusterTable table)
    {
        var nodes = table.Members.Where(member => member.State != MemberState.Gone)
            .ToDictionary(member => member.Slot, Describe);
        return new ClusterSnapshot(
            table.Version,
            [.. nodes.Values],
            [.. table.Partitions.Select((entry, index) => new PartitionDescription(
                new PartitionId(index),
                entry.Primary is { } slot ? nodes.GetValueOrDefault(slot) : null,
                entry.LossCount))]);
    }

    private static NodeDescription Describe(ClusterMember member) =>
        new(member.Node, member.Address, (NodeState)member.State, member.Services);

    /// <summary>A table and the snapshot that describes it. Immutable.</summary>
    private sealed record Pair(ClusterTable Table, ClusterSnapshot Snapshot);
}
