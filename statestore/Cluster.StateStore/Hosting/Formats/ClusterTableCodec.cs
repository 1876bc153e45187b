using Cluster.Slim.Hosting;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting.Formats;

/// <summary>The stored form of a cluster table: versioned, compact, the same bytes for equal tables, closed by a
/// checksum. The layout is normative in <c>docs/formats/cluster-table.md</c>. Stateless.</summary>
public static class ClusterTableCodec
{
    /// <summary>The layout of a table that tells of no death.</summary>
    public const int FormatVersion = 1;

    /// <summary>The layout of a table that tells of deaths. Versions of the library that know only the first one refuse
    /// it.</summary>
    public const int FormatVersionWithDeaths = 2;

    /// <summary>The layout of a table in which at least one node listens for other nodes alone; it tells of deaths,
    /// too.</summary>
    public const int FormatVersionWithPeerAddresses = 3;

    /// <summary>The layout of a table in which at least one partition has a next primary or a leaving member; it has
    /// all that the versions below have.</summary>
    public const int FormatVersionWithPlans = 4;

    /// <summary>The layout of a table in which sets of partitions have begun; it has all that the versions below
    /// have.</summary>
    public const int FormatVersionWithSets = 5;

    /// <summary>The most that a table may take: what fits into one Consul transaction.</summary>
    public const int MaxEncodedBytes = 383 * 1024;

    /// <summary>The longest name, address or service name, in bytes of UTF-8.</summary>
    public const int MaxTextBytes = 512;

    private const uint Magic = 0x4C42_5443; // "CTBL"
    private const int ServicesMax = 4_096;
    private const int ChecksumBytes = 8;
    private const string What = "Cluster table";

    /// <summary>Encodes a table.</summary>
    /// <param name="table">The table.</param>
    /// <exception cref="StateFormatException">The table is too large for <see cref="MaxEncodedBytes"/>.</exception>
    public static byte[] Encode(ClusterTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        var output = new FormatWriter(64 + (table.Partitions.Length * 8));
        output.UInt16((ushort)(Magic & 0xFFFF));
        output.UInt16((ushort)(Magic >> 16));
        var format = FormatOf(table);
        output.UInt16((ushort)format);
        output.UInt64((ulong)table.Version);
        output.Guid(table.ProposerNonce);
        if (format >= FormatVersionWithSets)
            WriteSets(output, table);
        WriteMembers(output, table.Members, format);
        output.Varint((uint)table.Partitions.Length);
        foreach (var entry in table.Partitions)
            WriteEntry(output, entry);
        if (format != FormatVersion)
            WriteDeaths(output, table.Deaths);
        output.UInt64(XxHash3.Hash(output.Written));
        if (output.Written.Length > MaxEncodedBytes)
            throw new StateFormatException($"{What}: {output.Written.Length} bytes are more than {MaxEncodedBytes}.");
        return output.Written.ToArray();
    }

    /// <summary>Decodes a table.</summary>
    /// <param name="encoded">The bytes.</param>
    /// <exception cref="StateFormatException">They are damaged, or of another format version.</exception>
    public static ClusterTable Decode(ReadOnlySpan<byte> encoded)
    {
        var input = new FormatReader(encoded, What);
        if ((input.UInt16() | ((uint)input.UInt16() << 16)) != Magic)
            throw input.Malformed("no table begins");
        var format = input.UInt16();
        if (format is < FormatVersion or > FormatVersionWithSets)
        {
            throw input.Malformed(
                $"format version {format} was found, {FormatVersion} to {FormatVersionWithSets} expected");
        }

        if (input.BytesLeft < ChecksumBytes)
            throw input.Malformed("the checksum is missing");
        var checksum = BinaryPrimitives.ReadUInt64LittleEndian(encoded[^ChecksumBytes..]);
        if (XxHash3.Hash(encoded[..^ChecksumBytes]) != checksum)
            throw input.Malformed("the checksum does not match");
        var version = (long)input.UInt64();
        var nonce = input.Guid();
        var sets = format >= FormatVersionWithSets ? ReadSets(ref input) : default;
        var states = format >= FormatVersionWithSets ? ReadStates(ref input) : default;
        var members = ReadMembers(ref input, format);
        var partitions = new PartitionEntry[input.Count(ClusterMeta.MaxPartitionCount, "partitions")];
        if (partitions.Length % Math.Max(1, sets.Count) != 0)
            throw input.Malformed($"{partitions.Length} partitions cannot be those of {sets.Count} sets");
        for (var index = 0; index < partitions.Length; index++)
            partitions[index] = ReadEntry(ref input, format >= FormatVersionWithPlans);
        var deaths = format == FormatVersion ? [] : ReadDeaths(ref input);
        input.UInt64();
        input.End();
        return new ClusterTable(version, nonce, members, [.. partitions])
        {
            Deaths = deaths,
            SetBackups = sets,
            States = states,
        };
    }

    private static int FormatOf(ClusterTable table)
    {
        var hasSets = table.SetBackups.Count > 0 || table.States.Count > 0
            || table.Members.Any(member => member.WantedBackups.Count > 0);
        if (hasSets)
            return FormatVersionWithSets;
        if (table.Partitions.Any(entry => entry.Next is not null || entry.Leaving is not null))
            return FormatVersionWithPlans;
        if (table.Members.Any(member => member.PeerAddress is not null))
            return FormatVersionWithPeerAddresses;
        return table.Deaths.Length == 0 ? FormatVersion : FormatVersionWithDeaths;
    }

    private static void WriteSets(FormatWriter output, ClusterTable table)
    {
        output.Byte((byte)table.SetBackups.Count);
        foreach (var backups in table.SetBackups.Items)
            output.Byte(backups);
        output.Varint((uint)table.States.Count);
        foreach (var (state, backups) in table.States.Items)
        {
            output.UInt32(state);
            output.Byte(backups);
        }
    }

    private static EquatableArray<StatePlacement> ReadStates(ref FormatReader input)
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

    private static EquatableArray<byte> ReadSets(ref FormatReader input)
    {
        var sets = new byte[input.Byte()];
        for (var set = 0; set < sets.Length; set++)
            sets[set] = input.Byte();
        if (sets.Distinct().Count() != sets.Length || sets.Any(backups => backups >= PartitionEntry.MaxInSync))
            throw input.Malformed($"the sets of partitions have {string.Join(", ", sets)} backups");
        return new EquatableArray<byte>([.. sets]);
    }

    // Members mostly offer the same services, so names are written once and members refer to them.
    private static void WriteMembers(FormatWriter output, ImmutableArray<ClusterMember> members, int format)
    {
        var services = members.SelectMany(member => member.Services).Distinct().Order(StringComparer.Ordinal).ToArray();
        output.Varint((uint)services.Length);
        foreach (var service in services)
            output.Text(service);
        output.Varint((uint)members.Length);
        foreach (var member in members)
        {
            output.UInt16(member.Slot.Value);
            output.Byte((byte)member.State);
            output.Guid(member.Node.Incarnation);
            output.Text(member.Node.Name);
            output.Text(member.Address);
            output.Text(member.LivenessAddress);
            if (format >= FormatVersionWithPeerAddresses)
                output.Text(member.PeerAddress ?? "");
            if (format >= FormatVersionWithSets)
                output.Byte(member.WantedBits);
            output.Varint((uint)member.Services.Count);
            foreach (var service in member.Services)
                output.Varint((uint)Array.BinarySearch(services, service, StringComparer.Ordinal));
        }
    }

    private static ImmutableArray<ClusterMember> ReadMembers(ref FormatReader input, int format)
    {
        var services = new string[input.Count(ServicesMax, "services")];
        for (var index = 0; index < services.Length; index++)
            services[index] = input.Text(MaxTextBytes);
        var members = new ClusterMember[input.Count(ClusterTable.MaxMembers, "members")];
        for (var index = 0; index < members.Length; index++)
            members[index] = ReadMember(ref input, services, format);
        return [.. members];
    }

    private static ClusterMember ReadMember(ref FormatReader input, string[] services, int format)
    {
        var slot = new NodeSlot(input.UInt16());
        var state = (MemberState)input.Byte();
        if (state > MemberState.Gone)
            throw input.Malformed($"member state {(int)state} is unknown");
        var incarnation = input.Guid();
        var node = new NodeId(input.Text(MaxTextBytes), incarnation);
        var (address, life) = (input.Text(MaxTextBytes), input.Text(MaxTextBytes));
        var peers = format >= FormatVersionWithPeerAddresses ? input.Text(MaxTextBytes) : "";
        var wanted = format >= FormatVersionWithSets ? input.Byte() : (byte)0;
        var offered = new string[input.Count(services.Length, "services of a member")];
        for (var index = 0; index < offered.Length; index++)
            offered[index] = services[input.Count(services.Length - 1, "as a service's index")];
        return new ClusterMember(slot, node, address, life, new EquatableArray<string>([.. offered]), state)
        {
            PeerAddress = peers.Length == 0 ? null : peers,
            WantedBits = wanted,
        };
    }

    private static void WriteDeaths(FormatWriter output, ImmutableArray<NodeDeath> deaths)
    {
        output.Varint((uint)deaths.Length);
        foreach (var death in deaths)
        {
            output.Guid(death.Node.Incarnation);
            output.Text(death.Node.Name);
            output.Text(death.Proof);
            output.Varint((uint)death.PartitionsLost);

            // Zero stands for a number that nobody knows.
            output.Varint(death.EntriesLost is { } entries ? (ulong)entries + 1 : 0);
        }
    }

    private static ImmutableArray<NodeDeath> ReadDeaths(ref FormatReader input)
    {
        var deaths = new NodeDeath[input.Count(ClusterTable.MaxDeaths, "deaths")];
        for (var index = 0; index < deaths.Length; index++)
        {
            var incarnation = input.Guid();
            var death = new NodeDeath(new NodeId(input.Text(MaxTextBytes), incarnation), input.Text(MaxTextBytes))
            {
                PartitionsLost = input.Count(ClusterMeta.MaxPartitionCount, "lost partitions"),
            };
            var entries = input.Varint();
            deaths[index] = death with { EntriesLost = entries == 0 ? null : (long)(entries - 1) };
        }

        return [.. deaths];
    }

    private static void WriteEntry(FormatWriter output, PartitionEntry entry)
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

    private static PartitionEntry ReadEntry(ref FormatReader input, bool hasPlans)
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
