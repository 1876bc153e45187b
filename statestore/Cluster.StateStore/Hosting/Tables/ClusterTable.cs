namespace Cluster.StateStore.Hosting.Tables;

/// <summary>The frozen assignment of every partition to its members at one version, with the member list. It is changed
/// only by compare-and-swap in the cluster store; a newer version replaces it whole.</summary>
/// <param name="Version">Rises by exactly one per change.</param>
/// <param name="ProposerNonce">Set by the process that proposed this version, so that it can recognise its own write
/// after an unknown outcome.</param>
/// <param name="Members">Members by slot number, in ascending order.</param>
/// <param name="Partitions">One entry per partition, by index.</param>
public sealed record ClusterTable(
    long Version,
    Guid ProposerNonce,
    ImmutableArray<ClusterMember> Members,
    ImmutableArray<PartitionEntry> Partitions)
{
    /// <summary>The most members that a table can list.</summary>
    public const int MaxMembers = 1_024;

    /// <summary>The most deaths that a table remembers.</summary>
    public const int MaxDeaths = 32;

    /// <summary>The lives that have ended last and what was lost with them, the oldest first.</summary>
    public ImmutableArray<NodeDeath> Deaths { get; init; } = [];

    /// <summary>The entry of one partition.</summary>
    /// <param name="partition">Its index.</param>
    public PartitionEntry this[PartitionId partition] => Partitions[partition.Value];

    /// <summary>The member with this slot, or <c>null</c>.</summary>
    /// <param name="slot">The slot to look for.</param>
    public ClusterMember? FindMember(NodeSlot slot) => Members.FirstOrDefault(m => m.Slot == slot);

    /// <summary>The member with this identity, or <c>null</c>.</summary>
    /// <param name="node">The name and incarnation to look for.</param>
    public ClusterMember? FindMember(NodeId node) => Members.FirstOrDefault(m => m.Node == node);

    /// <summary>How a life ended, or <c>null</c> where the table does not tell.</summary>
    /// <param name="node">The name and incarnation to look for.</param>
    public NodeDeath? FindDeath(NodeId node) => Deaths.FirstOrDefault(death => death.Node == node);

    /// <summary>This table with a death told, or told anew; the oldest one is forgotten when there are too many. The
    /// version stays.</summary>
    /// <param name="death">The death.</param>
    public ClusterTable WithDeath(NodeDeath death)
    {
        ArgumentNullException.ThrowIfNull(death);
        var others = Deaths.Where(known => known.Node != death.Node).TakeLast(MaxDeaths - 1);
        return this with { Deaths = [.. others, death] };
    }

    /// <summary>The smallest slot that no member has and no partition names.</summary>
    /// <exception cref="InvalidOperationException">There are as many members as a table can list.</exception>
    public NodeSlot FindFreeSlot()
    {
        if (Members.Length >= MaxMembers)
            throw new InvalidOperationException($"The cluster has {Members.Length} members; it can have {MaxMembers}.");
        var taken = Members.Select(member => member.Slot).ToHashSet();
        foreach (var entry in Partitions)
        {
            taken.UnionWith(entry.InSync.Items);
            if (entry.Joining is { } joining)
                taken.Add(joining);
        }

        var slot = new NodeSlot(0);
        while (taken.Contains(slot))
            slot = new NodeSlot((ushort)(slot.Value + 1));
        return slot;
    }

    /// <summary>This table as its own successor, to be changed further before it is proposed.</summary>
    /// <param name="nonce">New for each proposal.</param>
    public ClusterTable StartSuccessor(Guid nonce) =>
        this with { Version = checked(Version + 1), ProposerNonce = nonce };

    /// <summary>This table with a member added, or replaced when its slot is taken. The version stays.</summary>
    /// <param name="member">The member.</param>
    public ClusterTable WithMember(ClusterMember member)
    {
        ArgumentNullException.ThrowIfNull(member);
        var others = Members.Where(known => known.Slot != member.Slot);
        return this with { Members = [.. others.Append(member).OrderBy(known => known.Slot.Value)] };
    }

    /// <summary>This table without the members that are gone and that no partition names any more. The version
    /// stays.</summary>
    /// <param name="standing">The table that the store has. Only members that are gone there can be removed; null:
    /// those that are gone here.</param>
    public ClusterTable WithoutForgottenMembers(ClusterTable? standing = null)
    {
        var gone = (standing ?? this).Members.Where(m => m.State == MemberState.Gone);
        var wereGone = gone.Select(m => m.Node).ToHashSet();
        if (wereGone.Count == 0)
            return this;
        var isForgotten = Members
            .Where(m => wereGone.Contains(m.Node) && !Partitions.Any(p => p.Names(m.Slot)))
            .ToHashSet();
        return isForgotten.Count == 0
            ? this
            : this with { Members = [.. Members.Where(m => !isForgotten.Contains(m))] };
    }

    /// <summary>This table with one entry changed. The version stays.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="entry">Its new entry.</param>
    public ClusterTable WithPartition(PartitionId partition, PartitionEntry entry) =>
        this with { Partitions = Partitions.SetItem(partition.Value, entry) };

    /// <summary>The first version of a table: no members, no owners.</summary>
    /// <param name="partitionCount">How many partitions the cluster has.</param>
    public static ClusterTable CreateEmpty(int partitionCount) =>
        new(1, Guid.Empty, [], [.. Enumerable.Repeat(PartitionEntry.Unowned, partitionCount)]);
}
