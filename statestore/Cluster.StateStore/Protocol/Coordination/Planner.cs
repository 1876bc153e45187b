using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Coordination;

/// <summary>Plans for one set of partitions who gets a copy, who becomes primary and who leaves (T6), and assigns what
/// nobody owns (T0). It keeps what may stay: first it repairs, then it empties members that drain, then it balances.
/// Only members that have states of the set take part. Partitions are counted from the first one of the set, so that
/// equal numbers of two sets tend to the same members. Used by one decision.</summary>
internal sealed class Planner
{
    /// <summary>How many more primaries or replicas than another a member may have.</summary>
    private const int DifferenceMax = 1;

    private readonly CoordinatorView _view;
    private readonly Dictionary<NodeSlot, ClusterMember> _members;
    private readonly Loads _loads;
    private readonly Placement _placement;
    private readonly int _copies;
    private readonly bool _canBegin;

    /// <summary>Makes a planner for a set.</summary>
    /// <param name="view">What the coordinator knows beside the table.</param>
    /// <param name="table">The members as they will be.</param>
    /// <param name="entries">The entries of the set.</param>
    /// <param name="backups">How many backups its partitions should have.</param>
    public Planner(CoordinatorView view, ClusterTable table, IEnumerable<PartitionEntry> entries, int backups)
    {
        _view = view;
        _members = table.Members.ToDictionary(member => member.Slot);
        _loads = new Loads(
            table.Members.Where(member => view.IsAvailable(member) && member.Wants(backups)), entries);
        _placement = new Placement(table, _loads);
        _copies = Math.Min(backups + 1, _loads.MemberCount);
        _canBegin = table.Members.Count(view.IsAvailable) >= view.InitialNodeCount;
    }

    /// <summary>Returns the entry with which a partition begins; the same entry if nobody is available.</summary>
    public PartitionEntry Assign(int partition, PartitionEntry entry)
    {
        if (_copies == 0 || !_canBegin)
            return entry;
        var primary = _placement.BestPrimary(partition);
        List<NodeSlot> backups = [];
        while (backups.Count < _copies - 1)
            backups.Add(_placement.BestReplica(partition, slot => slot != primary && !backups.Contains(slot))!.Value);
        return Counted(entry, entry.AssignFirst(primary, [.. backups]));
    }

    /// <summary>Returns the entry with which a partition begins again when every replica is lost; the same entry if
    /// nobody is available.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="entry">Its entry.</param>
    /// <param name="holders">The members that can restore it; empty: it begins empty.</param>
    public PartitionEntry DeclareLost(int partition, PartitionEntry entry, IReadOnlyCollection<NodeSlot> holders) =>
        _copies == 0
            ? entry
            : Counted(entry, entry.DeclareLost(
                _placement.BestPrimaryOf(partition, holders.Where(_loads.Contains))
                ?? _placement.BestPrimary(partition)));

    /// <summary>Plans one partition: its repair, and the way out of members that drain.</summary>
    public PartitionEntry Plan(int partition, PartitionEntry entry)
    {
        // A target that was set aside because of another partition keeps this one: its primary says when it stalls.
        var joining = entry.Joining is { } target && _loads.Contains(target) ? entry.Joining : null;
        NodeSlot[] staying = [.. entry.InSync.Items.Where(IsActive)];
        var isUrgent = !IsActive(entry.Primary!.Value);
        if (joining is null && (_view.IsSettled || isUrgent) && staying.Length < _copies && entry.HasPlace)
            joining = FindTarget(partition, entry);
        var next = Keep(entry, joining);
        if (next is null && isUrgent)
            next = FindSuccessor(partition, entry, staying) ?? joining;
        var leaving = FindLeaving(entry, staying, joining, next);
        return Counted(entry, entry.Target(joining, next, leaving));
    }

    /// <summary>Plans one partition for an even load, where nothing else is planned for it.</summary>
    public PartitionEntry Balance(int partition, PartitionEntry entry)
    {
        if (_copies == 0 || entry is not { Joining: null, Next: null, Leaving: null, Primary: { } primary })
            return entry;
        if (_loads.PrimariesOf(primary) - _loads.LeastPrimaries > DifferenceMax)
        {
            var heir = _placement.BestPrimary(partition);
            if (entry.InSync.Items.Contains(heir))
                return Counted(entry, entry.Target(null, heir));
            if (FindLighter(partition, entry, primary) is { } backup)
                return Counted(entry, entry.Target(null, backup));
        }

        var fullest = entry.InSync.Items.MaxBy(_loads.ReplicasOf);
        if (_loads.ReplicasOf(fullest) - _loads.LeastReplicas <= DifferenceMax)
            return entry;
        if (FindTarget(partition, entry) is not { } target
            || _loads.ReplicasOf(fullest) - _loads.ReplicasOf(target) <= DifferenceMax)
            return entry;

        // The fullest member leaves when the target has its copy. It is named now, so that it counts as gone at once:
        // otherwise the next decision would plan more moves than an even load needs.
        return Counted(entry, entry.Target(target, fullest == primary ? target : null, fullest));
    }

    /// <summary>Whether a partition is about to change without any plan: its primary is silent and another member will
    /// take over, or it has fewer copies than it should have.</summary>
    public bool IsUnstable(PartitionEntry entry) =>
        entry.Primary is { } primary
        && ((IsActive(primary) && !_loads.Contains(primary) && entry.InSync.Items.Any(_loads.Contains))
            || entry.InSync.Items.Count(IsActive) < _copies);

    private PartitionEntry Counted(PartitionEntry from, PartitionEntry to)
    {
        if (from != to)
            _loads.Replace(from, to);
        return from == to ? from : to;
    }

    // A plan stays as long as it can be carried out.
    private NodeSlot? Keep(PartitionEntry entry, NodeSlot? joining) =>
        entry.Next is { } next && _loads.Contains(next) && (entry.InSync.Items.Contains(next) || next == joining)
            ? next
            : null;

    private NodeSlot? FindTarget(int partition, PartitionEntry entry) => _placement.BestReplica(
        partition, slot => !entry.InSync.Items.Contains(slot) && !IsSetAside(slot));

    private NodeSlot? FindSuccessor(int partition, PartitionEntry entry, NodeSlot[] staying) =>
        _placement.BestPrimaryOf(partition, staying.Where(slot => slot != entry.Primary));

    private NodeSlot? FindLighter(int partition, PartitionEntry entry, NodeSlot primary) => _placement.BestPrimaryOf(
        partition,
        entry.InSync.Where(slot => slot != primary
            && _loads.PrimariesOf(primary) - _loads.PrimariesOf(slot) > DifferenceMax));

    // The member that a target replaces stays named. Otherwise members that drain leave first, when enough others have
    // the content, or when no place is left for those; then the ones with the highest load.
    private NodeSlot? FindLeaving(PartitionEntry entry, NodeSlot[] staying, NodeSlot? joining, NodeSlot? next)
    {
        var primary = next ?? entry.Primary;
        if (staying.Length < _copies && entry.HasPlace)
            return null;
        if (joining is not null && entry.Leaving is { } replaced && replaced != primary)
            return replaced;
        if (entry.InSync.Count <= 1)
            return null;
        var draining = entry.InSync.Items.Where(slot => slot != primary && !IsActive(slot)).ToArray();
        if (draining.Length > 0)
            return draining[0];
        if (entry.InSync.Count <= _copies)
            return null;
        if (entry.Leaving is { } leaving && leaving != primary)
            return leaving;
        return staying.Where(slot => slot != primary).MaxBy(_loads.ReplicasOf);
    }

    private bool IsActive(NodeSlot slot) =>
        _members.TryGetValue(slot, out var member) && member.State == MemberState.Active;

    private bool IsSetAside(NodeSlot slot) => _view.SetAside.Contains(slot, _view.Now);
}
