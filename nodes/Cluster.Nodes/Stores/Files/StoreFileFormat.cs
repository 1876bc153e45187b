using Cluster.Slim.Hosting;

namespace Cluster.Nodes.Stores.Files;

/// <summary>
/// The layout of a store file, the same as in docs/formats/file-store.md. Integers are little-endian. Pure functions.
/// <code>
/// offset  size  field
///      0     8  magic "ClsStore"
///      8     2  format version, now 1
///     10     2  kind: 1 properties, 2 table
///     12     4  payload length in bytes
///     16    16  cluster id, in RFC 4122 byte order
///     32     8  stamp: the table's version, 0 in other files
///     40     n  payload
///   40+n     8  XXH3-64 of everything before it, seed 0
/// </code>
/// </summary>
internal static class StoreFileFormat
{
    public const int Version = 1;
    public const int HeaderBytes = 40;
    public const int ChecksumBytes = 8;

    /// <summary>How far before the end of a table's file the checksum of the table itself begins.</summary>
    public const int DigestBytesFromEnd = 8 + ChecksumBytes;

    /// <summary>The largest file that is read: many times the largest table.</summary>
    public const int FileBytesMax = 16 * 1024 * 1024;

    private const int VersionOffset = 8;
    private const int KindOffset = 10;
    private const int LengthOffset = 12;
    private const int ClusterIdOffset = 16;
    private const int StampOffset = 32;

    private static ReadOnlySpan<byte> Magic => "ClsStore"u8;

    public static byte[] Encode(StoreFile file)
    {
        var bytes = new byte[checked(HeaderBytes + file.Payload.Length + ChecksumBytes)];
        var span = bytes.AsSpan();
        Magic.CopyTo(span);
        BinaryPrimitives.WriteUInt16LittleEndian(span[VersionOffset..], Version);
        BinaryPrimitives.WriteUInt16LittleEndian(span[KindOffset..], (ushort)file.Kind);
        BinaryPrimitives.WriteInt32LittleEndian(span[LengthOffset..], file.Payload.Length);
        file.ClusterId.TryWriteBytes(span[ClusterIdOffset..], bigEndian: true, out _);
        BinaryPrimitives.WriteInt64LittleEndian(span[StampOffset..], file.Stamp);
        file.Payload.Span.CopyTo(span[HeaderBytes..]);
        WriteChecksum(span[..^ChecksumBytes], span[^ChecksumBytes..]);
        return bytes;
    }

    public static StoreFile Decode(byte[] bytes, StoreFileKind expected, string path)
    {
        var kind = CheckHeader(bytes, path);
        var length = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(LengthOffset));
        if (length < 0 || length != bytes.Length - HeaderBytes - ChecksumBytes)
            throw Damaged(path, $"its header announces {length} bytes of payload, the file has {bytes.Length} bytes");

        Span<byte> checksum = stackalloc byte[ChecksumBytes];
        WriteChecksum(bytes.AsSpan(0, bytes.Length - ChecksumBytes), checksum);
        if (!checksum.SequenceEqual(bytes.AsSpan(bytes.Length - ChecksumBytes)))
            throw Damaged(path, "its checksum is wrong");

        if (kind != expected)
            throw Foreign(path, $"it holds the cluster's {kind}, expected was its {expected}");
        return new StoreFile(
            kind, new Guid(bytes.AsSpan(ClusterIdOffset, 16), bigEndian: true), ReadStampUnchecked(bytes),
            bytes.AsMemory(HeaderBytes, length));
    }

    /// <summary>Reads cluster id and stamp from a file's first <see cref="HeaderBytes"/> bytes, without reading the
    /// payload.</summary>
    public static (Guid ClusterId, long Stamp) DecodeHeader(ReadOnlySpan<byte> header, string path)
    {
        CheckHeader(header, path);
        return (new Guid(header.Slice(ClusterIdOffset, 16), bigEndian: true), ReadStampUnchecked(header));
    }

    /// <summary>The error for a file whose contents another program has changed.</summary>
    public static ClusterStoreException Damaged(string path, string what, Exception? inner = null) => new(
        ClusterStoreError.Incompatible,
        $"{path} is damaged: {what}. Stop all nodes of this cluster and remove its folder to start it anew, "
        + "or put back an undamaged copy.", inner);

    /// <summary>The error for a file that another cluster or program has written.</summary>
    public static ClusterStoreException Foreign(string path, string what) => new(
        ClusterStoreError.Incompatible,
        $"{path} does not belong to this cluster's store: {what}. Choose another folder, or remove the file.");

    private static StoreFileKind CheckHeader(ReadOnlySpan<byte> bytes, string path)
    {
        if (!bytes.StartsWith(Magic[..Math.Min(Magic.Length, bytes.Length)]))
            throw Foreign(path, "it does not begin as the store's files do");

        if (bytes.Length < HeaderBytes)
            throw Damaged(path, $"it has only {bytes.Length} bytes");
        var version = BinaryPrimitives.ReadUInt16LittleEndian(bytes[VersionOffset..]);
        if (version == Version)
            return (StoreFileKind)BinaryPrimitives.ReadUInt16LittleEndian(bytes[KindOffset..]);
        throw new ClusterStoreException(
            ClusterStoreError.Incompatible,
            $"{path} has format {version}, this version of the library reads format {Version}. "
            + "Run the version that wrote it, or choose another folder.");
    }

    private static long ReadStampUnchecked(ReadOnlySpan<byte> header) =>
        BinaryPrimitives.ReadInt64LittleEndian(header[StampOffset..]);

    private static void WriteChecksum(ReadOnlySpan<byte> covered, Span<byte> destination) =>
        BinaryPrimitives.WriteUInt64LittleEndian(destination, XxHash3.Hash(covered));
}
