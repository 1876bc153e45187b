using Cluster.Slim.Hosting;

namespace Cluster.Nodes.Storage.Files;

/// <summary>The content of one file of a <see cref="FileStateStorage{TKey,TValue}"/>.</summary>
/// <remarks>
/// <list type="table">
/// <listheader><term>Bytes</term><description>Meaning, numbers little-endian</description></listheader>
/// <item><term>0–7</term><description>"CLUSTOR", then the version of the format, 1</description></item>
/// <item><term>8–15</term><description>XXH3-64 of all bytes from 16 on</description></item>
/// <item><term>16–23</term><description>revision</description></item>
/// <item><term>24–27</term><description>length of the key in bytes</description></item>
/// <item><term>28–31</term><description>1 for a removal, else 0</description></item>
/// <item><term>32–</term><description>the key, then the value: a message of Slim that describes its types. Nothing
/// for a removal</description></item>
/// </list>
/// </remarks>
/// <param name="Revision">The revision.</param>
/// <param name="Value">The bytes of the value.</param>
internal readonly record struct RecordFile(long Revision, ReadOnlyMemory<byte> Value)
{
    private const int HeaderBytes = 32;
    private const int SumAt = 8;
    private const int RevisionAt = 16;
    private const int KeyLengthAt = 24;
    private const int RemovalAt = 28;
    private const byte Version = 1;

    private static ReadOnlySpan<byte> Magic => "CLUSTOR"u8;

    public static byte[] Write(ReadOnlySpan<byte> key, long revision, bool isRemoved, ReadOnlySpan<byte> value)
    {
        var image = new byte[checked(HeaderBytes + key.Length + value.Length)];
        Magic.CopyTo(image);
        image[Magic.Length] = Version;
        BinaryPrimitives.WriteInt64LittleEndian(image.AsSpan(RevisionAt), revision);
        BinaryPrimitives.WriteInt32LittleEndian(image.AsSpan(KeyLengthAt), key.Length);
        BinaryPrimitives.WriteInt32LittleEndian(image.AsSpan(RemovalAt), isRemoved ? 1 : 0);
        key.CopyTo(image.AsSpan(HeaderBytes));
        value.CopyTo(image.AsSpan(HeaderBytes + key.Length));
        BinaryPrimitives.WriteUInt64LittleEndian(image.AsSpan(SumAt), XxHash3.Hash(image.AsSpan(RevisionAt)));
        return image;
    }

    /// <summary>Reads a file, and checks that it is whole and belongs to a key.</summary>
    /// <exception cref="InvalidDataException">It is not.</exception>
    public static RecordFile Read(string path, byte[] image, ReadOnlySpan<byte> key)
    {
        var keyLength = Check(path, image);
        if (!image.AsSpan(HeaderBytes, keyLength).SequenceEqual(key))
            throw Refused(path, "belongs to another key", "do not rename files of a stored state");
        return new RecordFile(RevisionOf(image), image.AsMemory(HeaderBytes + keyLength));
    }

    /// <summary>Reads the key and the value of a file of any key, and checks that it is whole.</summary>
    /// <exception cref="InvalidDataException">It is not.</exception>
    public static (ReadOnlyMemory<byte> Key, ReadOnlyMemory<byte> Value) ReadWithKey(string path, byte[] image)
    {
        var valueAt = HeaderBytes + Check(path, image);
        return (image.AsMemory(HeaderBytes..valueAt), image.AsMemory(valueAt));
    }

    /// <summary>Reads the revision of a file, and checks that it is whole.</summary>
    /// <exception cref="InvalidDataException">It is not.</exception>
    public static long ReadRevision(string path, byte[] image)
    {
        Check(path, image);
        return RevisionOf(image);
    }

    private static long RevisionOf(byte[] image) => BinaryPrimitives.ReadInt64LittleEndian(image.AsSpan(RevisionAt));

    // Returns the length of the key.
    private static int Check(string path, ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < HeaderBytes || !bytes.StartsWith(Magic))
            throw Refused(path, "is no file of a stored state", "remove it from the folder of the state");
        if (bytes[Magic.Length] != Version)
        {
            throw Refused(
                path, $"has version {bytes[Magic.Length]}, but this library reads version {Version}",
                "use the version of the library that wrote it");
        }

        var keyLength = BinaryPrimitives.ReadInt32LittleEndian(bytes[KeyLengthAt..]);
        if (BinaryPrimitives.ReadUInt64LittleEndian(bytes[SumAt..]) != XxHash3.Hash(bytes[RevisionAt..])
            || keyLength < 0 || keyLength > bytes.Length - HeaderBytes)
        {
            throw Refused(path, "is damaged: its check sum is wrong", "restore it from a copy, or remove it");
        }

        return keyLength;
    }

    private static InvalidDataException Refused(string path, string finding, string remedy) =>
        new($"The file '{path}' {finding}; {remedy}.");
}
