namespace Cluster.StateStore.Hosting.Tables;

/// <summary>The rules for changes of the cluster table. Pure functions, called by the proposer of a table and again by
/// the store, so that a mistake of a proposer cannot break ownership. See
/// <c>docs/formats/cluster-table.md</c>.</summary>
public static class PartitionTransitions
{
    /// <summary>Says why one table may not follow another.</summary>
    /// <param name="current">The table that stands.</param>
    /// <param name="successor">The table proposed.</param>
    /// <returns>The first violation found, or null when the successor is legal.</returns>
    public static string? FindViolation(ClusterTable current, ClusterTable successor)
    {
        ArgumentNullException.ThrowIfNull(current);
        ArgumentNullException.ThrowIfNull(successor);
        if (successor.Version != current.Version + 1)
            return $"version {successor.Version} cannot follow {current.Version}: it must rise by exactly one";
        if ((FindSetViolation(current, successor) ?? FindProtocolViolation(current, successor)) is { } violation)
            return violation;
        var members = new MemberTransitions(current, successor);
        return members.FindViolation() ?? FindPartitionViolation(current, successor, members);
    }

    /// <summary>Tells which transition leads from one entry of a partition to another, looking at the entries
    /// alone.</summary>
    /// <param name="current">The entry that stands.</param>
    /// <param name="successor">The entry proposed.</param>
    public static PartitionValidationResult Validate(PartitionEntry current, PartitionEntry successor)
    {
        ArgumentNullException.ThrowIfNull(current);
        ArgumentNullException.ThrowIfNull(successor);
        if (current == successor)
            return PartitionValidationResult.Legal(PartitionChange.None);
        if (FindMalformation(successor) is { } malformation)
            return PartitionValidationResult.Illegal(malformation);
        if (successor.Epoch < current.Epoch)
            return PartitionValidationResult.Illegal($"epoch falls from {current.Epoch} to {successor.Epoch}");
        if (successor.Epoch == current.Epoch)
            return JudgeSameEpoch(current, successor);
        if (successor.Epoch != current.Epoch.Next())
            return PartitionValidationResult.Illegal(
                $"epoch {successor.Epoch} cannot follow {current.Epoch}: it must rise by one");
        if (successor.Primary is null)
            return PartitionValidationResult.Illegal("the primary is taken away without a successor");
        return JudgeNextEpoch(current, successor);
    }

    private static string? FindProtocolViolation(ClusterTable current, ClusterTable successor)
    {
        if (successor.Protocol < current.Protocol)
            return $"the protocol falls from {current.Protocol} to {successor.Protocol}";
        var below = successor.Members.FirstOrDefault(
            member => member.State != MemberState.Gone && member.Protocol < successor.Protocol);
        return below is null
            ? null
            : $"{below.Node} speaks protocol {below.Protocol}, and all members speak at least {successor.Protocol}";
    }

    private static PartitionValidationResult JudgeSameEpoch(PartitionEntry current, PartitionEntry successor)
    {
        if (successor != current.Target(successor.Joining, successor.Next, successor.Leaving))
            return PartitionValidationResult.Illegal("primary, in-sync set or loss count changes without a new epoch");
        return current.Primary is null
            ? PartitionValidationResult.Illegal("nobody can join a partition that nobody owns")
            : PartitionValidationResult.Legal(PartitionChange.Target);
    }

    private static PartitionValidationResult JudgeNextEpoch(PartitionEntry current, PartitionEntry successor)
    {
        var primary = successor.Primary!.Value;
        if (current.Primary is null)
            return JudgeFirst(current, successor);
        if (successor.LossCount != current.LossCount)
            return Expect(successor, current.DeclareLost(primary), PartitionChange.DeclareLost);
        if (successor.Joining is not null && successor.Joining != current.Joining)
            return PartitionValidationResult.Illegal("another member is named as joining together with a new epoch");
        if (successor.Next is not null && successor.Next != current.Next)
            return PartitionValidationResult.Illegal("another next primary is named together with a new epoch");
        if (successor.Leaving is not null && successor.Leaving != current.Leaving)
            return PartitionValidationResult.Illegal("another leaving member is named together with a new epoch");
        return primary == current.Primary ? JudgeSamePrimary(current, successor) : JudgeNewPrimary(current, successor);
    }

    private static PartitionValidationResult JudgeFirst(PartitionEntry current, PartitionEntry successor)
    {
        var primary = successor.Primary!.Value;
        NodeSlot[] backups = [.. successor.InSync.Where(slot => slot != primary)];
        return successor == current.AssignFirst(primary, backups)
            ? PartitionValidationResult.Legal(PartitionChange.FirstAssignment)
            : PartitionValidationResult.Illegal(
                "FirstAssignment must name the primary first in sync, nobody joining, next or leaving, and keep the "
                + "loss count");
    }

    private static PartitionValidationResult JudgeSamePrimary(PartitionEntry current, PartitionEntry successor)
    {
        var added = successor.InSync.Except(current.InSync).ToArray();
        var removed = current.InSync.Except(successor.InSync).ToArray();
        return (added, removed) switch
        {
            ([var joined], []) when joined == current.Joining && successor.Joining is null =>
                PartitionValidationResult.Legal(PartitionChange.Join),
            ([], [_]) => PartitionValidationResult.Legal(PartitionChange.Shrink),
            ([_], []) =>
                PartitionValidationResult.Illegal(
                    "only the joining member can become in sync, and then joins no longer"),
            _ => PartitionValidationResult.Illegal("the in-sync set must gain or lose exactly one member per epoch"),
        };
    }

    private static PartitionValidationResult JudgeNewPrimary(PartitionEntry current, PartitionEntry successor)
    {
        if (!current.InSync.Contains(successor.Primary!.Value))
        {
            return PartitionValidationResult.Illegal(
                $"member {successor.Primary} becomes primary without having been in sync, and no loss is declared");
        }

        var added = successor.InSync.Except(current.InSync).Any();
        var removed = current.InSync.Except(successor.InSync).ToArray();
        return (added, removed) switch
        {
            (false, []) => PartitionValidationResult.Legal(PartitionChange.PlannedMove),
            (false, [var gone]) when gone == current.Primary =>
                PartitionValidationResult.Legal(PartitionChange.TakeOver),
            _ => PartitionValidationResult.Illegal("with a new primary only the old one may leave the in-sync set"),
        };
    }

    private static PartitionValidationResult Expect(
        PartitionEntry successor, PartitionEntry expected, PartitionChange change) =>
        successor == expected
            ? PartitionValidationResult.Legal(change)
            : PartitionValidationResult.Illegal(
                $"{change} must leave the new primary alone in sync, nobody joining, and the loss " +
                $"count at {expected.LossCount}");

    private static string? FindMalformation(PartitionEntry entry)
    {
        if (entry.InSync.Count > PartitionEntry.MaxInSync)
            return $"{entry.InSync.Count} members in sync are more than {PartitionEntry.MaxInSync}";
        if (entry.InSync.Distinct().Count() != entry.InSync.Count)
            return "a member is listed twice as in sync";
        if (entry.Primary is { } primary && !entry.InSync.Contains(primary))
            return "the primary is not in sync";
        if (entry.Joining is { } joining && entry.InSync.Contains(joining))
            return "a member in sync is named as joining";
        var canBeNext = entry.Next is not { } next || entry.InSync.Contains(next) || next == entry.Joining;
        if (!canBeNext || (entry.Next is not null && entry.Next == entry.Primary))
            return "the next primary is the primary, or neither in sync nor joining";
        if (entry.Leaving is { } leaving && !entry.InSync.Contains(leaving))
            return "the leaving member is not in sync";
        return entry.LossCount < 0 ? "the loss count is negative" : null;
    }

    private static string? FindSetViolation(ClusterTable current, ClusterTable successor)
    {
        var (before, after) = (current.SetBackups.Items, successor.SetBackups.Items);
        if (!after.AsSpan().StartsWith(before.AsSpan()))
        {
            return $"sets of partitions change from {current.SetBackups} to {successor.SetBackups}: they can only be "
                + "added";
        }

        if (after.Distinct().Count() != after.Length)
            return $"a set of partitions is listed twice in {successor.SetBackups}";
        if (after.Any(backups => backups >= PartitionEntry.MaxInSync))
        {
            return $"a set of partitions in {successor.SetBackups} has more than {PartitionEntry.MaxInSync - 1} "
                + "backups";
        }

        if (!current.States.All(successor.States.Contains))
            return "a state is taken away or gets another number of backups";
        for (var index = 1; index < successor.States.Count; index++)
        {
            if (successor.States[index - 1].State >= successor.States[index].State)
                return "states are not in ascending order of their ids";
        }

        if (successor.States.Count > ClusterTable.MaxStates)
            return $"{successor.States.Count} states are more than {ClusterTable.MaxStates}";
        var expected = current.SetSize * Math.Max(1, after.Length);
        return successor.Partitions.Length == expected
            ? null
            : $"{successor.Partitions.Length} partitions cannot follow {current.Partitions.Length}: {expected} "
                + "expected";
    }

    private static string? FindPartitionViolation(
        ClusterTable current, ClusterTable successor, MemberTransitions members)
    {
        for (var index = 0; index < successor.Partitions.Length; index++)
        {
            var from = index < current.Partitions.Length ? current.Partitions[index] : PartitionEntry.Unowned;
            var to = successor.Partitions[index];

            // Unchanged entries are shared between versions; a member that one of them names cannot have been removed,
            // which is checked for all entries alike.
            var result = ReferenceEquals(from, to)
                ? PartitionValidationResult.Legal(PartitionChange.None)
                : Validate(from, to);
            var violation = result.Violation ?? members.FindViolation(result.Change, from, to);
            if (violation is not null)
                return $"partition {new PartitionId(index)}: {violation}";
        }

        return null;
    }
}
