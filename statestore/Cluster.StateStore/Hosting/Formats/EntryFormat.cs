using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting.Formats;

/// <summary>The bytes of one partition entry, as <c>docs/formats/cluster-table.md</c> describes them.
/// Stateless.</summary>
internal static class EntryFormat
{
    public static void Write(FormatWriter output, PartitionEntry entry)
    {
        var flags = (entry.Primary is null ? 0 : 1) | (entry.Joining is null ? 0 : 2) | (entry.LossCount == 0 ? 0 : 4);
        var plans = (entry.Next is null ? 0 : 1) | (entry.Leaving is null ? 0 : 2);
        flags |= plans == 0 ? 0 : 8;
        output.Byte((byte)(flags | (entry.InSync.Count << 4)));
        output.Varint((ulong)entry.Epoch.Value);
        if (entry.Primary is { } primary)
            output.UInt16(primary.Value);
        foreach (var slot in entry.InSync.Items)
            output.UInt16(slot.Value);
        if (entry.Joining is { } joining)
            output.UInt16(joining.Value);
        if (entry.LossCount != 0)
            output.Varint((uint)entry.LossCount);
        if (plans == 0)
            return;
        output.Byte((byte)plans);
        if (entry.Next is { } next)
            output.UInt16(next.Value);
        if (entry.Leaving is { } leaving)
            output.UInt16(leaving.Value);
    }

    public static PartitionEntry Read(ref FormatReader input, bool hasPlans)
    {
        var flags = input.Byte();
        if ((flags & 0b1000) != 0 && !hasPlans)
            throw input.Malformed("an unknown flag of a partition is set");
        var epoch = new Epoch((long)input.Varint());
        NodeSlot? primary = (flags & 1) != 0 ? new NodeSlot(input.UInt16()) : null;
        var inSync = new NodeSlot[flags >> 4];
        if (inSync.Length > PartitionEntry.MaxInSync)
            throw input.Malformed($"{inSync.Length} members are in sync");
        for (var index = 0; index < inSync.Length; index++)
            inSync[index] = new NodeSlot(input.UInt16());
        NodeSlot? joining = (flags & 2) != 0 ? new NodeSlot(input.UInt16()) : null;
        var losses = (flags & 4) != 0 ? input.Count(int.MaxValue, "losses") : 0;
        var entry = new PartitionEntry(epoch, primary, new EquatableArray<NodeSlot>([.. inSync]), joining, losses);
        return (flags & 8) == 0 ? entry : ReadPlans(ref input, entry);
    }

    private static PartitionEntry ReadPlans(ref FormatReader input, PartitionEntry entry)
    {
        var plans = input.Byte();
        if (plans is 0 or > 3)
            throw input.Malformed($"the plans of a partition are {plans}, 1 to 3 expected");
        NodeSlot? next = (plans & 1) != 0 ? new NodeSlot(input.UInt16()) : null;
        NodeSlot? leaving = (plans & 2) != 0 ? new NodeSlot(input.UInt16()) : null;
        return entry with { Next = next, Leaving = leaving };
    }
}
