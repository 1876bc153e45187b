using Cluster.Pile.Files;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Snapshots;

/// <summary>The names, magic numbers and versions of snapshot files. Stateless.</summary>
internal static class SnapshotFormat
{
    public const uint Version = 1;

    /// <summary>"CLPILESM": a manifest.</summary>
    public const ulong ManifestMagic = 0x4D53454C49504C43;

    /// <summary>"CLPILESB": a block file.</summary>
    public const ulong BlocksMagic = 0x4253454C49504C43;

    /// <summary>Magic, version, identity of the snapshot, checksum.</summary>
    public const int FileHeaderBytes = 32;

    public const string ManifestEnding = ".manifest";
    public const string BlocksEnding = ".blocks";
    public const string TemporaryEnding = ".temporary";

    /// <summary>The empty file that a save locks, so that no other save works in the folder.</summary>
    public const string LockName = "snapshot.lock";

    private const string Prefix = "snapshot-";
    private const int IdentityAt = 12;
    private const int ChecksumAt = 28;

    /// <summary>A fingerprint of the table of slot sizes. Files that were written with other slot sizes cannot be
    /// read.</summary>
    public static uint SizesFingerprint { get; } = ComputeSizes();

    public static string NameOf(long generation, string ending) => $"{Prefix}{generation:D10}{ending}";

    /// <summary>Reads the generation from the name of a file of one kind. False: the file is of another kind.</summary>
    public static bool TryParse(string name, string ending, out long generation)
    {
        generation = 0;
        return name.StartsWith(Prefix, StringComparison.Ordinal) && name.EndsWith(ending, StringComparison.Ordinal)
            && name.Length > Prefix.Length + ending.Length
            && long.TryParse(name.AsSpan()[Prefix.Length..^ending.Length], out generation)
            && name == NameOf(generation, ending);
    }

    /// <summary>Reads the generation from the name of any file that a save writes. False: the file is not part of a
    /// snapshot.</summary>
    public static bool TryParse(string name, out long generation) =>
        TryParse(name, ManifestEnding, out generation) || TryParse(name, BlocksEnding, out generation)
            || TryParse(name, ManifestEnding + TemporaryEnding, out generation);

    /// <summary>The first bytes of a block file; their identity says to which manifest the file belongs.</summary>
    public static byte[] FileHeader(Guid identity)
    {
        var header = new byte[FileHeaderBytes];
        BinaryPrimitives.WriteUInt64LittleEndian(header, BlocksMagic);
        BinaryPrimitives.WriteUInt32LittleEndian(header.AsSpan(8), Version);
        identity.TryWriteBytes(header.AsSpan(IdentityAt));
        BinaryPrimitives.WriteUInt32LittleEndian(header.AsSpan(ChecksumAt), Checksum.Of(header.AsSpan(0, ChecksumAt)));
        return header;
    }

    private static uint ComputeSizes()
    {
        var sizes = new int[SizeClasses.Count];
        for (var i = 0; i < sizes.Length; i++)
            sizes[i] = SizeClasses.At(i).SlotBytes;
        return Checksum.Of(MemoryMarshal.AsBytes<int>(sizes));
    }
}
