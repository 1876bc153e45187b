using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Frames;

/// <summary>A change of one partition's entry that a replica wants. Immutable.</summary>
/// <param name="Partition">The partition.</param>
/// <param name="Change">The transition.</param>
/// <param name="Member">Who takes over, leaves, joins or becomes primary.</param>
/// <param name="Epoch">The epoch of the entry that it changes.</param>
internal sealed record Wish(PartitionId Partition, PartitionChange Change, NodeSlot Member, long Epoch)
{
    /// <summary>For T5: up to which entry the member can restore the partition from its snapshot; zero: it has none.
    /// </summary>
    public EntryId Mark { get; init; }

    /// <summary>Whether clients wait for it. They do not wait for a healthy member that leaves.</summary>
    /// <param name="table">The table that the wish is for.</param>
    public bool IsUrgentIn(ClusterTable table) => Change switch
    {
        PartitionChange.TakeOver or PartitionChange.PlannedMove => true,
        PartitionChange.Shrink => FindEntry(table) is { } entry && entry.Leaving != Member,
        _ => false,
    };

    /// <summary>Returns the entry that the wish is about; null: the table has no such partition. A peer may name
    /// any.</summary>
    /// <param name="table">The table that the wish is for.</param>
    public PartitionEntry? FindEntry(ClusterTable table) =>
        (uint)Partition.Value < (uint)table.Partitions.Length ? table[Partition] : null;

    /// <summary>Makes the entry that the wish leads to.</summary>
    /// <param name="entry">The entry that it changes.</param>
    /// <returns>Null if the wish does not fit the entry.</returns>
    public PartitionEntry? Apply(PartitionEntry entry)
    {
        if (entry.Epoch.Value != Epoch)
            return null;
        var isInSync = entry.InSync.Items.Contains(Member);
        return Change switch
        {
            PartitionChange.TakeOver when isInSync && entry.Primary != Member => entry.TakeOver(Member),
            PartitionChange.Shrink when isInSync && entry.Primary != Member => entry.Shrink(Member),
            PartitionChange.Join when entry.Joining == Member && entry.HasPlace => entry.Join(),
            PartitionChange.PlannedMove when isInSync && entry.Primary != Member => entry.Move(Member),
            PartitionChange.Target when entry.Joining == Member =>
                entry.Target(null, entry.Next == Member ? null : entry.Next),
            _ => null,
        };
    }
}
