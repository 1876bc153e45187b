using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting.Formats;

/// <summary>The bytes of the sets of partitions and of the states, as <c>docs/formats/cluster-table.md</c> describes
/// them. Stateless.</summary>
internal static class SetFormat
{
    public static void Write(FormatWriter output, EquatableArray<byte> sets, EquatableArray<StatePlacement> states)
    {
        output.Byte((byte)sets.Count);
        foreach (var backups in sets.Items)
            output.Byte(backups);
        output.Varint((uint)states.Count);
        foreach (var (state, backups) in states.Items)
        {
            output.UInt32(state);
            output.Byte(backups);
        }
    }

    public static EquatableArray<StatePlacement> ReadStates(ref FormatReader input)
    {
        var states = new StatePlacement[input.Count(ClusterTable.MaxStates, "states")];
        for (var index = 0; index < states.Length; index++)
        {
            states[index] = new StatePlacement(input.UInt32(), input.Byte());
            if (states[index].Backups >= PartitionEntry.MaxInSync)
                throw input.Malformed($"a state has {states[index].Backups} backups");
        }

        return new EquatableArray<StatePlacement>([.. states]);
    }

    public static EquatableArray<byte> ReadSets(ref FormatReader input)
    {
        var sets = new byte[input.Byte()];
        for (var set = 0; set < sets.Length; set++)
            sets[set] = input.Byte();
        if (sets.Distinct().Count() != sets.Length || sets.Any(backups => backups >= PartitionEntry.MaxInSync))
            throw input.Malformed($"the sets of partitions have {string.Join(", ", sets)} backups");
        return new EquatableArray<byte>([.. sets]);
    }
}
