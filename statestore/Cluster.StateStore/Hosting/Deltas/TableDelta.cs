using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting.Deltas;

/// <summary>What has changed in a cluster's table from one version to a later one. It may list things that are the same
/// in both. Immutable. See <c>docs/formats/table-delta.md</c>.</summary>
/// <param name="From">The version that it is applied to.</param>
/// <param name="To">The version that results.</param>
/// <param name="ProposerNonce">The nonce of the resulting table.</param>
/// <param name="Digest">The digest of the resulting table.</param>
public sealed record TableDelta(long From, long To, Guid ProposerNonce, ulong Digest)
{
    /// <summary>Members that are new or different.</summary>
    public ImmutableArray<ClusterMember> Members { get; init; } = [];

    /// <summary>Slots that no member has any more, or had at neither version.</summary>
    public ImmutableArray<NodeSlot> FreedSlots { get; init; } = [];

    /// <summary>How many partitions the resulting table has.</summary>
    public int PartitionCount { get; init; }

    /// <summary>Partitions that are new or different, in ascending order.</summary>
    public ImmutableArray<(PartitionId Partition, PartitionEntry Entry)> Partitions { get; init; } = [];

    /// <summary>The sets of partitions and the states of the resulting table; null: those of the table
    /// before.</summary>
    public (EquatableArray<byte> SetBackups, EquatableArray<StatePlacement> States)? Sets { get; init; }

    /// <summary>The deaths that the resulting table tells; null: those of the table before.</summary>
    public ImmutableArray<NodeDeath>? Deaths { get; init; }

    /// <summary>The version of the protocol that all members of the resulting table speak at least.</summary>
    internal int Protocol { get; init; } = ProtocolVersion.First;

    /// <summary>Makes the later table.</summary>
    /// <param name="table">The table of version <see cref="From"/>.</param>
    /// <returns>Null: the delta does not fit this table, or leads to another table than its digest says.</returns>
    public ClusterTable? ApplyTo(ClusterTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        if (table.Version != From || To <= From || PartitionCount < table.Partitions.Length)
            return null;
        var entries = table.Partitions.ToBuilder();
        while (entries.Count < PartitionCount)
            entries.Add(PartitionEntry.Unowned);
        foreach (var (partition, entry) in Partitions)
        {
            if (partition.Value >= PartitionCount)
                return null;
            entries[partition.Value] = entry;
        }

        var (sets, states) = Sets ?? (table.SetBackups, table.States);
        var next = table with
        {
            Version = To,
            ProposerNonce = ProposerNonce,
            Members = MergeMembers(table.Members),
            Partitions = entries.DrainToImmutable(),
            Protocol = Protocol,
            SetBackups = sets,
            States = states,
            Deaths = Deaths ?? table.Deaths,
        };
        return ClusterTableCodec.Digest(next) == Digest ? next : null;
    }

    private ImmutableArray<ClusterMember> MergeMembers(ImmutableArray<ClusterMember> members)
    {
        if (Members.IsEmpty && FreedSlots.IsEmpty)
            return members;
        var bySlot = members.ToDictionary(member => member.Slot);
        foreach (var slot in FreedSlots)
            bySlot.Remove(slot);
        foreach (var member in Members)
            bySlot[member.Slot] = member;
        return [.. bySlot.Values.OrderBy(member => member.Slot.Value)];
    }
}
