using Cluster.StateStore.Hosting.Calls;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting;

/// <summary>Finds the node that an attempt of an operation goes to. Thread-safe.</summary>
/// <param name="view">This process's view of the table.</param>
/// <param name="local">This node's own store, which hears the other nodes; null in a process that only calls.</param>
internal sealed class PlaceFinder(ITableView view, NodeStateStore? local)
{
    /// <summary>Finds the place of an attempt.</summary>
    /// <param name="call">The operation.</param>
    /// <param name="partition">The partition of its key; null: no node has joined that has the state.</param>
    /// <param name="attempt">How many attempts came before. A read that may be old tries the copies in turn.</param>
    public CallPlace Find(StateCall call, PartitionId? partition, int attempt)
    {
        if (partition is not { } known)
            return new CallPlace(null, PartitionRoute.Nowhere);
        var route = view.RouteOf(known);
        if (call.MaxAge > TimeSpan.Zero && FindCopy(route, attempt) is { } copy)
            return new CallPlace(known, route) { Target = copy, IsHere = IsHere(copy) };

        // Most operations of this node's own keys need no clock, so this node is not asked whether it is heard.
        var isHere = route.Owner is { } own && IsHere(own);
        return new CallPlace(known, route)
        {
            Target = route.Owner,
            IsHere = isHere,
            IsSuspected = !isHere && route.Owner is { } other && IsSuspected(other),
        };
    }

    // This node answers without a call. After it, the owner knows most; the other copies are for the time when the
    // owner does not answer.
    private ClusterMember? FindCopy(PartitionRoute route, int attempt)
    {
        var table = view.Current;
        ClusterMember[] copies =
        [
            .. route.Entry.InSync.Items
                .Select(table.FindMember)
                .OfType<ClusterMember>()
                .Where(member => member.State != MemberState.Gone && !IsSuspected(member))
                .OrderBy(member => member.Node == view.Self ? 0 : member.Slot == route.Entry.Primary ? 1 : 2),
        ];
        return copies.Length == 0 ? null : copies[attempt % copies.Length];
    }

    private bool IsHere(ClusterMember member) => local is not null && member.Node == view.Self;

    private bool IsSuspected(ClusterMember member) => local is not null && local.IsSuspected(member.Node);
}
