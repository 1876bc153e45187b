using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Messages;

/// <summary>A partition's entry in the responder's table, with its owner's identity and address. Immutable in
/// use.</summary>
public sealed class MovedPartition
{
    /// <summary>The partition's epoch.</summary>
    public long Epoch { get; init; }

    /// <summary>The members in sync, by slot.</summary>
    public ushort[] InSync { get; init; } = [];

    /// <summary>The slot that a copy is being sent to, or -1.</summary>
    public int Joining { get; init; } = -1;

    /// <summary>How often the contents were lost.</summary>
    public int LossCount { get; init; }

    /// <summary>The owner, or null when nobody owns the partition.</summary>
    public MovedOwner? Owner { get; init; }

    internal static MovedPartition From(PartitionRoute route) => new()
    {
        Epoch = route.Entry.Epoch.Value,
        InSync = [.. route.Entry.InSync.Select(slot => slot.Value)],
        Joining = route.Entry.Joining?.Value ?? -1,
        LossCount = route.Entry.LossCount,
        Owner = route.Owner is null ? null : MovedOwner.From(route.Owner),
    };

    internal PartitionRoute ToRoute()
    {
        var inSync = new EquatableArray<NodeSlot>([.. InSync.Select(value => new NodeSlot(value))]);
        NodeSlot? joining = Joining is >= 0 and <= ushort.MaxValue ? new NodeSlot((ushort)Joining) : null;
        var owner = Owner?.ToMember();
        return new PartitionRoute(new PartitionEntry(new Epoch(Epoch), owner?.Slot, inSync, joining, LossCount), owner);
    }
}
