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

    /// <summary>T0: the first owner of a partition that nobody has owned yet.</summary>
    /// <param name="primary">The owner.</param>
    public PartitionEntry AssignFirst(NodeSlot primary) =>
        this with { Epoch = Epoch.Next(), Primary = primary, InSync = new([primary]), Joining = null };

    /// <summary>T1: an in-sync member takes over from a primary that is gone.</summary>
    /// <param name="primary">The new primary.</param>
    public PartitionEntry TakeOver(NodeSlot primary) =>
        this with { Epoch = Epoch.Next(), Primary = primary, InSync = new([.. InSync.Where(slot => slot != Primary)]) };

    /// <summary>T2: a member is no longer in sync.</summary>
    /// <param name="member">The member; not the primary.</param>
    public PartitionEntry Shrink(NodeSlot member) =>
        this with { Epoch = Epoch.Next(), InSync = new([.. InSync.Where(slot => slot != member)]) };

    /// <summary>T3: the joining member has everything and is in sync from now on.</summary>
    /// <exception cref="InvalidOperationException">Nobody is joining.</exception>
    public PartitionEntry Join() => Joining is { } joining
        ? this with { Epoch = Epoch.Next(), InSync = new([.. InSync, joining]), Joining = null }
        : throw new InvalidOperationException("Nobody is joining this partition.");

    /// <summary>T4: the sealed primary hands its role to another in-sync member and stays in sync itself.</summary>
    /// <param name="primary">The new primary.</param>
    public PartitionEntry Move(NodeSlot primary) => this with { Epoch = Epoch.Next(), Primary = primary };

    /// <summary>T5: every in-sync member is gone; another starts empty.</summary>
    /// <param name="primary">The new primary.</param>
    public PartitionEntry DeclareLost(NodeSlot primary) => this with
    {
        Epoch = Epoch.Next(),
        Primary = primary,
        InSync = new([primary]),
        Joining = null,
        LossCount = checked(LossCount + 1),
    };

    /// <summary>T6: names the member that a copy is to be sent to, or nobody.</summary>
    /// <param name="joining">The member.</param>
    public PartitionEntry Target(NodeSlot? joining) => this with { Joining = joining };

    /// <summary>Whether a member is named in any role.</summary>
    /// <param name="slot">The member.</param>
    public bool Names(NodeSlot slot) => Primary == slot || Joining == slot || InSync.Items.Contains(slot);
}
