using Cluster.Pile.Files;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Mapped;

/// <summary>The state in which a process left a mapped folder: written when a pile attaches, and again when it is
/// disposed; the second one is the clean-shutdown marker. An immutable value; the layout is in
/// <c>docs/formats/mapped-files.md</c>.</summary>
internal sealed record MappedState
{
    public const ulong Magic = 0x315453454C495043; // "CPILEST1"
    public const uint VersionNow = 1;
    public const int BootBytes = 16;

    private const int CleanAt = 12;
    private const int OriginAt = 16;
    private const int ElapsedAt = 24;
    private const int BootAt = 32;
    private const int ObjectsAt = 48;
    private const int LinksAt = 56;
    private const int LiveBytesAt = 64;
    private const int BlockLastAt = 72;
    private const int TablesAt = 80;
    private const int MomentAt = 88;
    private const int RetiredAt = 96;

    public static int Bytes => RetiredAt + (SizeClasses.Count * sizeof(long)) + sizeof(ulong);

    /// <summary>Whether the pile was disposed, so that tables and blocks agree.</summary>
    public bool IsClean { get; init; }

    /// <summary>The time of step 0 of the pile's clock, in ticks of UTC.</summary>
    public required long OriginTicks { get; init; }

    /// <summary>The clock of objects when this state was written, in ticks since step 0.</summary>
    public required long ElapsedTicks { get; init; }

    /// <summary>The clock of records when this state was written, in ticks.</summary>
    public required long MomentTicks { get; init; }

    /// <summary>The boot of the machine in which this state was written; zero where the system does not tell
    /// it.</summary>
    public required Guid Boot { get; init; }

    public long Objects { get; init; }

    public long Links { get; init; }

    public long LiveBytes { get; init; }

    /// <summary>The last block that was ever used.</summary>
    public long BlockLast { get; init; }

    /// <summary>The checksum of the tables up to <see cref="BlockLast"/>.</summary>
    public ulong TablesChecksum { get; init; }

    /// <summary>The number of retired slots of each size class.</summary>
    public IReadOnlyList<long> RetiredSlots { get; init; } = new long[SizeClasses.Count];

    private static CheckedFile.Form Form => new(Magic, VersionNow, Bytes);

    public byte[] Encode()
    {
        var bytes = new byte[Bytes];
        var to = bytes.AsSpan();
        BinaryPrimitives.WriteUInt32LittleEndian(to[CleanAt..], IsClean ? 1U : 0);
        BinaryPrimitives.WriteInt64LittleEndian(to[OriginAt..], OriginTicks);
        BinaryPrimitives.WriteInt64LittleEndian(to[ElapsedAt..], ElapsedTicks);
        BinaryPrimitives.WriteInt64LittleEndian(to[MomentAt..], MomentTicks);
        Boot.TryWriteBytes(to[BootAt..]);
        BinaryPrimitives.WriteInt64LittleEndian(to[ObjectsAt..], Objects);
        BinaryPrimitives.WriteInt64LittleEndian(to[LinksAt..], Links);
        BinaryPrimitives.WriteInt64LittleEndian(to[LiveBytesAt..], LiveBytes);
        BinaryPrimitives.WriteInt64LittleEndian(to[BlockLastAt..], BlockLast);
        BinaryPrimitives.WriteUInt64LittleEndian(to[TablesAt..], TablesChecksum);
        for (var index = 0; index < RetiredSlots.Count; index++)
            BinaryPrimitives.WriteInt64LittleEndian(to[(RetiredAt + (index * sizeof(long)))..], RetiredSlots[index]);
        CheckedFile.Seal(to, Form);
        return bytes;
    }

    /// <summary>Throws, with the file and the place in it, when the bytes are not a valid state of this
    /// version.</summary>
    public static MappedState Decode(ReadOnlySpan<byte> from, string path)
    {
        CheckedFile.Check(from, path, Form);
        var retired = new long[SizeClasses.Count];
        for (var index = 0; index < retired.Length; index++)
            retired[index] = BinaryPrimitives.ReadInt64LittleEndian(from[(RetiredAt + (index * sizeof(long)))..]);
        return new MappedState
        {
            IsClean = BinaryPrimitives.ReadUInt32LittleEndian(from[CleanAt..]) != 0,
            OriginTicks = BinaryPrimitives.ReadInt64LittleEndian(from[OriginAt..]),
            ElapsedTicks = BinaryPrimitives.ReadInt64LittleEndian(from[ElapsedAt..]),
            MomentTicks = BinaryPrimitives.ReadInt64LittleEndian(from[MomentAt..]),
            Boot = new Guid(from.Slice(BootAt, BootBytes)),
            Objects = BinaryPrimitives.ReadInt64LittleEndian(from[ObjectsAt..]),
            Links = BinaryPrimitives.ReadInt64LittleEndian(from[LinksAt..]),
            LiveBytes = BinaryPrimitives.ReadInt64LittleEndian(from[LiveBytesAt..]),
            BlockLast = BinaryPrimitives.ReadInt64LittleEndian(from[BlockLastAt..]),
            TablesChecksum = BinaryPrimitives.ReadUInt64LittleEndian(from[TablesAt..]),
            RetiredSlots = retired,
        };
    }
}
