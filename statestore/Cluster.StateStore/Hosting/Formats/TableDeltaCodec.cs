using Cluster.Slim.Hosting;
using Cluster.StateStore.Hosting.Deltas;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting.Formats;

/// <summary>The bytes of a delta between two tables, as <c>docs/formats/table-delta.md</c> describes them.
/// Stateless.</summary>
public static class TableDeltaCodec
{
    /// <summary>The layout that is written and read.</summary>
    public const int FormatVersion = 1;

    /// <summary>The most that a delta may take.</summary>
    public const int MaxEncodedBytes = ClusterTableCodec.MaxEncodedBytes;

    private const uint Magic = 0x4C44_5443; // "CTDL"
    private const int ChecksumBytes = 8;
    private const int HasSets = 1;
    private const int HasDeaths = 2;
    private const int HasProtocol = 4;
    private const string What = "Table delta";

    /// <summary>Encodes a delta.</summary>
    /// <param name="delta">The delta.</param>
    /// <param name="clusterId">The identity of the cluster whose table it changes.</param>
    /// <returns>Null: the delta is larger than a whole table may be.</returns>
    public static byte[]? Encode(TableDelta delta, Guid clusterId)
    {
        ArgumentNullException.ThrowIfNull(delta);
        var output = new FormatWriter(128 + (delta.Partitions.Length * 14) + (delta.Members.Length * 128));
        output.UInt32(Magic);
        output.UInt16(FormatVersion);
        output.Guid(clusterId);
        output.UInt64((ulong)delta.From);
        output.UInt64((ulong)delta.To);
        output.Guid(delta.ProposerNonce);
        output.UInt64(delta.Digest);
        output.Byte((byte)((delta.Sets is null ? 0 : HasSets) | (delta.Deaths is null ? 0 : HasDeaths)
            | (delta.Protocol == ProtocolVersion.First ? 0 : HasProtocol)));
        if (delta.Protocol != ProtocolVersion.First)
            output.Byte((byte)delta.Protocol);
        if (delta.Sets is var (sets, states))
            SetFormat.Write(output, sets, states);
        output.Varint((uint)delta.FreedSlots.Length);
        foreach (var slot in delta.FreedSlots)
            output.UInt16(slot.Value);
        MemberFormat.Write(output, delta.Members, ClusterTableCodec.FormatVersionWithSets);
        WritePartitions(output, delta);
        if (delta.Deaths is { } deaths)
            DeathFormat.Write(output, deaths);
        output.UInt64(XxHash3.Hash(output.Written));
        return output.Written.Length > MaxEncodedBytes ? null : output.Written.ToArray();
    }

    /// <summary>Decodes a delta.</summary>
    /// <param name="encoded">The bytes.</param>
    /// <param name="clusterId">The identity of the own cluster.</param>
    /// <exception cref="StateFormatException">They are damaged, of another format version, or of another
    /// cluster.</exception>
    public static TableDelta Decode(ReadOnlySpan<byte> encoded, Guid clusterId)
    {
        var input = new FormatReader(encoded, What);
        if (input.UInt32() != Magic)
            throw input.Malformed("no delta begins");
        var format = input.UInt16();
        if (format != FormatVersion)
            throw input.Malformed($"format version {format} was found, {FormatVersion} expected");
        if (input.BytesLeft < ChecksumBytes)
            throw input.Malformed("the checksum is missing");
        var checksum = BinaryPrimitives.ReadUInt64LittleEndian(encoded[^ChecksumBytes..]);
        if (XxHash3.Hash(encoded[..^ChecksumBytes]) != checksum)
            throw input.Malformed("the checksum does not match");
        var cluster = input.Guid();
        if (cluster != clusterId)
            throw input.Malformed($"a delta of cluster {cluster} was found, one of cluster {clusterId} expected");
        var (from, to, nonce, digest) = ((long)input.UInt64(), (long)input.UInt64(), input.Guid(), input.UInt64());
        var flags = input.Byte();
        if (flags > (HasSets | HasDeaths | HasProtocol))
            throw input.Malformed($"the flags are {flags}");
        var protocol = (flags & HasProtocol) != 0 ? input.Byte() : ProtocolVersion.First;
        (EquatableArray<byte>, EquatableArray<StatePlacement>)? sets =
            (flags & HasSets) != 0 ? (SetFormat.ReadSets(ref input), SetFormat.ReadStates(ref input)) : null;
        var freed = new NodeSlot[input.Count(ushort.MaxValue, "freed slots")];
        for (var index = 0; index < freed.Length; index++)
            freed[index] = new NodeSlot(input.UInt16());
        var members = MemberFormat.Read(ref input, ClusterTableCodec.FormatVersionWithSets);
        var count = input.Count(ClusterMeta.MaxPartitionCount, "partitions");
        var partitions = ReadPartitions(ref input, count);
        ImmutableArray<NodeDeath>? deaths = (flags & HasDeaths) != 0 ? DeathFormat.Read(ref input) : null;
        input.UInt64();
        input.End();
        return new TableDelta(from, to, nonce, digest)
        {
            Protocol = protocol,
            Members = members,
            FreedSlots = [.. freed],
            PartitionCount = count,
            Partitions = partitions,
            Sets = sets,
            Deaths = deaths,
        };
    }

    // Neighbouring partitions often change together, so each index is told by its distance from the one before.
    private static void WritePartitions(FormatWriter output, TableDelta delta)
    {
        output.Varint((uint)delta.PartitionCount);
        output.Varint((uint)delta.Partitions.Length);
        var next = 0;
        foreach (var (partition, entry) in delta.Partitions)
        {
            output.Varint((uint)(partition.Value - next));
            next = partition.Value + 1;
            EntryFormat.Write(output, entry);
        }
    }

    private static ImmutableArray<(PartitionId Partition, PartitionEntry Entry)> ReadPartitions(
        ref FormatReader input, int partitionCount)
    {
        var changed = input.Count(partitionCount, "changed partitions");
        var partitions = ImmutableArray.CreateBuilder<(PartitionId, PartitionEntry)>(changed);
        var next = 0;
        for (var index = 0; index < changed; index++)
        {
            if (next == partitionCount)
                throw input.Malformed($"a partition after the last one of {partitionCount}");
            var partition = next + input.Count(partitionCount - next - 1, "partitions between two");
            next = partition + 1;
            partitions.Add((new PartitionId(partition), EntryFormat.Read(ref input, hasPlans: true)));
        }

        return partitions.MoveToImmutable();
    }
}
