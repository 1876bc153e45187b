namespace Cluster.StateStore.Hosting.Tables;

/// <summary>The frozen assignment of every partition to its members at one version, with the member list. It is changed
/// only by compare-and-swap in the cluster store; a newer version replaces it whole.</summary>
/// <param name="Version">Rises by exactly one per change.</param>
/// <param name="ProposerNonce">Set by the process that proposed this version, so that it can recognise its own write
/// after an unknown outcome.</param>
/// <param name="Members">Members by slot number, in ascending order.</param>
/// <param name="Partitions">One entry per partition, by index: those of the first set, then those of the next
/// one.</param>
public sealed record ClusterTable(
    long Version,
    Guid ProposerNonce,
    ImmutableArray<ClusterMember> Members,
    ImmutableArray<PartitionEntry> Partitions)
{
    /// <summary>The most members that a table can list.</summary>
    public const int MaxMembers = 1_024;

    /// <summary>The most states that a table can list.</summary>
    public const int MaxStates = 1_024;

    /// <summary>The most deaths that a table remembers.</summary>
    public const int MaxDeaths = 32;

    /// <summary>The lives that have ended last and what was lost with them, the oldest first.</summary>
    public ImmutableArray<NodeDeath> Deaths { get; init; } = [];

    /// <summary>How many backups the partitions of each set have. States with the same number of backups share a set. A
    /// set begins when a node with such a state joins, and stays. Empty: no set has begun.</summary>
    public EquatableArray<byte> SetBackups { get; init; }

    /// <summary>The states that nodes have joined with, in ascending order of their ids.</summary>
    public EquatableArray<StatePlacement> States { get; init; }

    /// <summary>The version of the protocol between nodes that all members speak at least. It never falls, so a node
    /// without it is refused for ever.</summary>
    internal int Protocol { get; init; } = ProtocolVersion.First;

    /// <summary>How many partitions one set has; all sets have the same number.</summary>
    public int SetSize => Partitions.Length / Math.Max(1, SetBackups.Count);

    /// <summary>The entry of one partition.</summary>
    /// <param name="partition">Its index.</param>
    public PartitionEntry this[PartitionId partition] => Partitions[partition.Value];

    /// <summary>The member with this slot, or <c>null</c>.</summary>
    /// <param name="slot">The slot to look for.</param>
    public ClusterMember? FindMember(NodeSlot slot) => Members.FirstOrDefault(m => m.Slot == slot);

    /// <summary>The member with this identity, or <c>null</c>.</summary>
    /// <param name="node">The name and incarnation to look for.</param>
    public ClusterMember? FindMember(NodeId node) => Members.FirstOrDefault(m => m.Node == node);

    /// <summary>The member with this incarnation, or <c>null</c>.</summary>
    internal ClusterMember? FindIncarnation(Guid incarnation) =>
        Members.FirstOrDefault(m => m.Node.Incarnation == incarnation);

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

    /// <summary>The first partition of the set with a number of backups; <c>null</c> while there is no such
    /// set.</summary>
    /// <param name="backups">The number of backups.</param>
    public PartitionId? FindSet(int backups)
    {
        var sets = SetBackups.Items;
        for (var set = 0; set < sets.Length; set++)
        {
            if (sets[set] == backups)
                return new PartitionId(set * SetSize);
        }

        return null;
    }

    /// <summary>How many backups a state has; <c>null</c> while no node has joined that has the state.</summary>
    /// <param name="state">The id of the state.</param>
    public int? BackupsOf(uint state)
    {
        foreach (var placement in States.Items)
        {
            if (placement.State == state)
                return placement.Backups;
        }

        return null;
    }

    /// <summary>This table with the states of a node. A state that the table lists keeps its number. The version
    /// stays.</summary>
    /// <param name="states">The states.</param>
    public ClusterTable WithStates(IEnumerable<StatePlacement> states)
    {
        StatePlacement[] added =
        [
            .. states.Where(placement => BackupsOf(placement.State) is null).DistinctBy(placement => placement.State),
        ];
        return added.Length == 0 || States.Count + added.Length > MaxStates
            ? this
            : this with { States = new([.. States.Concat(added).OrderBy(placement => placement.State)]) };
    }

    /// <summary>How many backups a partition should have; <c>null</c> while its set has not begun.</summary>
    /// <param name="partition">Its index.</param>
    public int? BackupsOf(PartitionId partition)
    {
        var sets = SetBackups.Items;
        var set = partition.Value / SetSize;
        return set < sets.Length ? sets[set] : null;
    }

    /// <summary>How many partitions have an owner and fewer copies than their states ask for.</summary>
    public int CountUnderReplicated()
    {
        var count = 0;
        for (var index = 0; index < Partitions.Length; index++)
        {
            var entry = Partitions[index];
            if (entry.Primary is not null && entry.InSync.Count <= BackupsOf(new PartitionId(index)))
                count++;
        }

        return count;
    }

    /// <summary>This table with one more set, whose partitions nobody owns yet. The version stays. The same table if
    /// there is such a set, or if there are too many partitions.</summary>
    /// <param name="backups">How many backups the partitions of the set have.</param>
    public ClusterTable WithSet(byte backups)
    {
        if (SetBackups.Items.Contains(backups))
            return this;
        var next = this with { SetBackups = new([.. SetBackups.Items, backups]) };

        // The entries of the first set are there from the beginning.
        if (SetBackups.Count == 0)
            return next;
        return Partitions.Length + SetSize > ClusterMeta.MaxPartitionCount
            ? this
            : next with { Partitions = [.. Partitions, .. Enumerable.Repeat(PartitionEntry.Unowned, SetSize)] };
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
    /// <param name="partitionCount">How many partitions each set has.</param>
    public static ClusterTable CreateEmpty(int partitionCount) =>
        new(1, Guid.Empty, [], [.. Enumerable.Repeat(PartitionEntry.Unowned, partitionCount)]);
}
