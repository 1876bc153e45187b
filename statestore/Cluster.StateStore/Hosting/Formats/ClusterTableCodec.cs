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

    /// <summary>The layout of a table whose members all speak at least version 2 of the protocol between nodes; it has
    /// all that the versions below have. So a process of version 1 refuses it.</summary>
    public const int FormatVersionWithProtocol = 6;

    /// <summary>The most that a table may take: what fits into one Consul transaction.</summary>
    public const int MaxEncodedBytes = 383 * 1024;

    /// <summary>The longest name, address or service name, in bytes of UTF-8.</summary>
    public const int MaxTextBytes = 512;

    private const uint Magic = 0x4C42_5443; // "CTBL"
    private const int ChecksumBytes = 8;
    private const string What = "Cluster table";

    /// <summary>Encodes a table.</summary>
    /// <param name="table">The table.</param>
    /// <exception cref="StateFormatException">The table is too large for <see cref="MaxEncodedBytes"/>.</exception>
    public static byte[] Encode(ClusterTable table)
    {
        var output = WriteBody(table);
        output.UInt64(XxHash3.Hash(output.Written));
        if (output.Written.Length > MaxEncodedBytes)
            throw new StateFormatException($"{What}: {output.Written.Length} bytes are more than {MaxEncodedBytes}.");
        return output.Written.ToArray();
    }

    /// <summary>The checksum of a table's stored form. Equal tables have the same digest, so a digest that the store
    /// shows confirms a table that came from elsewhere.</summary>
    /// <param name="table">The table.</param>
    public static ulong Digest(ClusterTable table) => XxHash3.Hash(WriteBody(table).Written);

    /// <summary>Decodes a table.</summary>
    /// <param name="encoded">The bytes.</param>
    /// <exception cref="StateFormatException">They are damaged, or of another format version.</exception>
    public static ClusterTable Decode(ReadOnlySpan<byte> encoded)
    {
        var input = new FormatReader(encoded, What);
        if ((input.UInt16() | ((uint)input.UInt16() << 16)) != Magic)
            throw input.Malformed("no table begins");
        var format = input.UInt16();
        if (format is < FormatVersion or > FormatVersionWithProtocol)
        {
            throw input.Malformed(
                $"format version {format} was found, {FormatVersion} to {FormatVersionWithProtocol} expected");
        }

        if (input.BytesLeft < ChecksumBytes)
            throw input.Malformed("the checksum is missing");
        var checksum = BinaryPrimitives.ReadUInt64LittleEndian(encoded[^ChecksumBytes..]);
        if (XxHash3.Hash(encoded[..^ChecksumBytes]) != checksum)
            throw input.Malformed("the checksum does not match");
        var version = (long)input.UInt64();
        var nonce = input.Guid();
        var protocol = format >= FormatVersionWithProtocol ? input.Byte() : ProtocolVersion.First;
        if (format >= FormatVersionWithProtocol && protocol <= ProtocolVersion.First)
            throw input.Malformed($"protocol {protocol} in a table of format {format}");
        var sets = format >= FormatVersionWithSets ? SetFormat.ReadSets(ref input) : default;
        var states = format >= FormatVersionWithSets ? SetFormat.ReadStates(ref input) : default;
        var members = MemberFormat.Read(ref input, format);
        var partitions = new PartitionEntry[input.Count(ClusterMeta.MaxPartitionCount, "partitions")];
        if (partitions.Length % Math.Max(1, sets.Count) != 0)
            throw input.Malformed($"{partitions.Length} partitions cannot be those of {sets.Count} sets");
        for (var index = 0; index < partitions.Length; index++)
            partitions[index] = EntryFormat.Read(ref input, format >= FormatVersionWithPlans);
        var deaths = format == FormatVersion ? [] : DeathFormat.Read(ref input);
        input.UInt64();
        input.End();
        return new ClusterTable(version, nonce, members, [.. partitions])
        {
            Deaths = deaths,
            Protocol = protocol,
            SetBackups = sets,
            States = states,
        };
    }

    private static FormatWriter WriteBody(ClusterTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        var output = new FormatWriter(1_024 + (table.Members.Length * 128) + (table.Partitions.Length * 12));
        output.UInt16((ushort)(Magic & 0xFFFF));
        output.UInt16((ushort)(Magic >> 16));
        var format = FormatOf(table);
        output.UInt16((ushort)format);
        output.UInt64((ulong)table.Version);
        output.Guid(table.ProposerNonce);
        if (format >= FormatVersionWithProtocol)
            output.Byte((byte)table.Protocol);
        if (format >= FormatVersionWithSets)
            SetFormat.Write(output, table.SetBackups, table.States);
        MemberFormat.Write(output, table.Members, format);
        output.Varint((uint)table.Partitions.Length);
        foreach (var entry in table.Partitions)
            EntryFormat.Write(output, entry);
        if (format != FormatVersion)
            DeathFormat.Write(output, table.Deaths);
        return output;
    }

    private static int FormatOf(ClusterTable table)
    {
        if (table.Protocol > ProtocolVersion.First)
            return FormatVersionWithProtocol;
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
}
