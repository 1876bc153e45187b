using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Rebuild;

namespace Cluster.Pile.Snapshots;

/// <summary>The description of a snapshot and its pile, without the blocks. Immutable. The order of the fields is that
/// of the file.</summary>
internal sealed record SnapshotManifest
{
    private const int PrologueBytes = 16;

    public required Guid Identity { get; init; }

    public required long Generation { get; init; }

    /// <summary>The time of the snapshot point by the pile's clock, in ticks of UTC. The next field is the same time as
    /// a step of the clock of deadlines.</summary>
    public required long PointTicks { get; init; }

    public required uint PointStep { get; init; }

    public required ulong SecretOffset { get; init; }

    public required ulong SecretFactor { get; init; }

    public required ulong PileIdentity { get; init; }

    public required uint CounterFirst { get; init; }

    public required uint Margin { get; init; }

    public required long BudgetBytes { get; init; }

    /// <summary>The last block that was ever used. The next field is the last block in use.</summary>
    public required long BlockLast { get; init; }

    public required long BlockHighest { get; init; }

    public required long BlockCount { get; init; }

    public required long BlockFileBytes { get; init; }

    public required IReadOnlyList<byte[]> Types { get; init; }

    /// <summary>The description of the tables of records.</summary>
    public required byte[] Tables { get; init; }

    public byte[] Encode()
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        writer.Write(SnapshotFormat.ManifestMagic);
        writer.Write(SnapshotFormat.Version);
        writer.Write(0);
        writer.Write(Identity.ToByteArray());
        writer.Write(BlockLayout.BlockBytes);
        writer.Write(SnapshotFormat.SizesFingerprint);
        writer.Write(Generation);
        writer.Write(PointTicks);
        writer.Write(PointStep);
        writer.Write(SecretOffset);
        writer.Write(SecretFactor);
        writer.Write(PileIdentity);
        writer.Write(CounterFirst);
        writer.Write(Margin);
        writer.Write(BudgetBytes);
        writer.Write(BlockLast);
        writer.Write(BlockHighest);
        writer.Write(BlockCount);
        writer.Write(BlockFileBytes);
        writer.Write(Types.Count);
        foreach (var type in Types)
        {
            writer.Write(type.Length);
            writer.Write(type);
        }

        writer.Write(Tables.Length);
        writer.Write(Tables);
        writer.Flush();
        var bytes = stream.ToArray();
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(12), bytes.Length + sizeof(uint));
        var file = new byte[bytes.Length + sizeof(uint)];
        bytes.CopyTo(file, 0);
        BinaryPrimitives.WriteUInt32LittleEndian(file.AsSpan(bytes.Length), Checksum.Of(bytes));
        return file;
    }

    /// <summary>Reads the bytes of <see cref="Encode"/>. Throws for any other bytes, and names the place.</summary>
    public static SnapshotManifest Decode(string file, byte[] bytes)
    {
        if (bytes.Length < PrologueBytes + sizeof(uint))
            throw SnapshotFailure.Damaged(file, bytes.Length, $"it ends after {bytes.Length} bytes");
        if (BinaryPrimitives.ReadUInt64LittleEndian(bytes) != SnapshotFormat.ManifestMagic)
            throw SnapshotFailure.Foreign(file, "it does not begin as the manifest of a snapshot does");
        var version = BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(8));
        if (version > SnapshotFormat.Version)
            throw SnapshotFailure.Newer(file, version);
        var length = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(12));
        if (length != bytes.Length)
            throw SnapshotFailure.Damaged(file, bytes.Length, $"it has {bytes.Length} bytes and says {length}");
        var content = bytes.AsSpan(0, bytes.Length - sizeof(uint));
        if (Checksum.Of(content) != BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(content.Length)))
            throw SnapshotFailure.Damaged(file, content.Length, "its checksum does not match");
        using var reader = new BinaryReader(new MemoryStream(bytes, PrologueBytes, bytes.Length - PrologueBytes));
        var identity = new Guid(reader.ReadBytes(16));
        if (reader.ReadInt32() != BlockLayout.BlockBytes || reader.ReadUInt32() != SnapshotFormat.SizesFingerprint)
            throw SnapshotFailure.Foreign(file, "it was written with other sizes of blocks or slots");
        try
        {
            var manifest = Read(reader, identity);
            if (manifest.FindProblem() is { } problem)
                throw SnapshotFailure.Damaged(file, PrologueBytes, problem);
            return manifest;
        }
        catch (Exception e) when (e is EndOfStreamException || ContentFailure.Is(e))
        {
            throw SnapshotFailure.Senseless(file, e);
        }
    }

    // Checks the numbers that later code uses as the size of a table or as a number of steps.
    private string? FindProblem()
    {
        const long blocksMax = PileOptions.MaxBudgetBytes / BlockLayout.BlockBytes;
        return BlockLast is < 0 or > blocksMax ? $"its last block is {BlockLast:N0}, and a pile has {blocksMax:N0}"
            : BlockHighest < 0 || BlockHighest > BlockLast ? $"its highest block is {BlockHighest:N0}"
            : BlockCount < 0 || BlockCount > BlockLast ? $"it has {BlockCount:N0} blocks and the last is {BlockLast:N0}"
            : CounterFirst > GenerationMask.CounterMax ? $"its first counter is {CounterFirst:N0}"
            : Margin > GenerationMask.CounterMax ? $"its margin is {Margin:N0}"
            : PointTicks < 0 || PointTicks > DateTime.MaxValue.Ticks ? $"its time is {PointTicks:N0} ticks"
            : null;
    }

    private static SnapshotManifest Read(BinaryReader reader, Guid identity) => new()
    {
        Identity = identity,
        Generation = reader.ReadInt64(),
        PointTicks = reader.ReadInt64(),
        PointStep = reader.ReadUInt32(),
        SecretOffset = reader.ReadUInt64(),
        SecretFactor = reader.ReadUInt64(),
        PileIdentity = reader.ReadUInt64(),
        CounterFirst = reader.ReadUInt32(),
        Margin = reader.ReadUInt32(),
        BudgetBytes = reader.ReadInt64(),
        BlockLast = reader.ReadInt64(),
        BlockHighest = reader.ReadInt64(),
        BlockCount = reader.ReadInt64(),
        BlockFileBytes = reader.ReadInt64(),
        Types = ReadTypes(reader),
        Tables = ReadPart(reader),
    };

    private static List<byte[]> ReadTypes(BinaryReader reader)
    {
        var types = new List<byte[]>();
        for (var left = reader.ReadInt32(); left > 0; left--)
            types.Add(ReadPart(reader));
        return types;
    }

    // A length is compared with the bytes that are left before memory is allocated for it.
    private static byte[] ReadPart(BinaryReader reader)
    {
        var length = reader.ReadInt32();
        var left = reader.BaseStream.Length - reader.BaseStream.Position;
        if (length < 0 || length > left)
            throw new InvalidDataException($"A part has {length:N0} bytes, and {left:N0} are left.");
        return reader.ReadBytes(length);
    }
}
