namespace Cluster.StateStore.Hosting.Tables;

/// <summary>Who holds one partition at one epoch. Immutable; readers may keep it as long as they like. The methods make
/// the entries that the transitions T0 to T6 lead to; whether a transition is legal is checked by
/// <see cref="PartitionTransitions"/>.</summary>
/// <param name="Epoch">Rises with each change of primary or in-sync set. Zero means that nobody has owned it
/// yet.</param>
/// <param name="Primary">The member that answers reads and writes, or <c>null</c> before the first assignment.</param>
/// <param name="InSync">The members that have every acknowledged write, the primary among them.</param>
/// <param name="Joining">The member that a copy is being sent to, or <c>null</c>.</param>
/// <param name="LossCount">How many times the contents were lost because every in-sync member was gone.</param>
public sealed record PartitionEntry(
    Epoch Epoch,
    NodeSlot? Primary,
    EquatableArray<NodeSlot> InSync,
    NodeSlot? Joining,
    int LossCount)
{
    /// <summary>The most members that an entry can list as in sync.</summary>
    public const int MaxInSync = 8;

    /// <summary>The entry of a partition that nobody has owned yet.</summary>
    public static PartitionEntry Unowned { get; } = new(default, null, default, null, 0);

    /// <summary>The member that the primary hands its role to as soon as that member is in sync; null: no move is
    /// planned. It is in sync or joining, and not the primary.</summary>
    public NodeSlot? Next { get; init; }

    /// <summary>The in-sync member that leaves the in-sync set although it is healthy; null: none does.</summary>
    public NodeSlot? Leaving { get; init; }

    /// <summary>Whether one more member can become in sync.</summary>
    internal bool HasPlace => InSync.Count < MaxInSync;

    /// <summary>T0: the first owner of a partition that nobody has owned yet, and its backups; all of them start
    /// empty.</summary>
    /// <param name="primary">The owner.</param>
    /// <param name="backups">The backups; none by default.</param>
    public PartitionEntry AssignFirst(NodeSlot primary, params ReadOnlySpan<NodeSlot> backups) => this with
    {
        Epoch = Epoch.Next(),
        Primary = primary,
        InSync = new([primary, .. backups]),
        Joining = null,
        Next = null,
        Leaving = null,
    };

    /// <summary>T1: an in-sync member takes over from a primary that is gone.</summary>
    /// <param name="primary">The new primary.</param>
    public PartitionEntry TakeOver(NodeSlot primary) => this with
    {
        Epoch = Epoch.Next(),
        Primary = primary,
        InSync = new([.. InSync.Where(slot => slot != Primary)]),
        Next = null,
        Leaving = null,
    };

    /// <summary>T2 and T2b: a member is no longer in sync. Nobody else leaves now: without the failed member, the one
    /// that was to leave may be needed.</summary>
    /// <param name="member">The member; not the primary.</param>
    public PartitionEntry Shrink(NodeSlot member) => this with
    {
        Epoch = Epoch.Next(),
        InSync = new([.. InSync.Where(slot => slot != member)]),
        Next = Next == member ? null : Next,
        Leaving = null,
    };

    /// <summary>T3: the joining member has everything and is in sync from now on.</summary>
    /// <exception cref="InvalidOperationException">Nobody is joining.</exception>
    public PartitionEntry Join() => Joining is { } joining
        ? this with { Epoch = Epoch.Next(), InSync = new([.. InSync, joining]), Joining = null }
        : throw new InvalidOperationException("Nobody is joining this partition.");

    /// <summary>T4: the sealed primary hands its role to another in-sync member and stays in sync itself.</summary>
    /// <param name="primary">The new primary.</param>
    public PartitionEntry Move(NodeSlot primary) => this with
    {
        Epoch = Epoch.Next(),
        Primary = primary,
        Next = null,
        Leaving = Leaving == primary ? null : Leaving,
    };

    /// <summary>T5: every in-sync member is gone; another starts empty.</summary>
    /// <param name="primary">The new primary.</param>
    public PartitionEntry DeclareLost(NodeSlot primary) => this with
    {
        Epoch = Epoch.Next(),
        Primary = primary,
        InSync = new([primary]),
        Joining = null,
        Next = null,
        Leaving = null,
        LossCount = checked(LossCount + 1),
    };

    /// <summary>T6: names the member that a copy is to be sent to, the next primary, and the member that
    /// leaves.</summary>
    /// <param name="joining">The target of the copy; null: nobody.</param>
    /// <param name="next">The next primary; null: the primary stays.</param>
    /// <param name="leaving">The member that leaves the in-sync set; null: nobody.</param>
    public PartitionEntry Target(NodeSlot? joining, NodeSlot? next = null, NodeSlot? leaving = null) =>
        this with { Joining = joining, Next = next, Leaving = leaving };

    /// <summary>Whether a member is named in any role.</summary>
    /// <param name="slot">The member.</param>
    public bool Names(NodeSlot slot) => Primary == slot || Joining == slot || InSync.Items.Contains(slot);
}
