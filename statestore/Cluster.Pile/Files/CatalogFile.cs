namespace Cluster.Pile.Files;

/// <summary>The file that describes the record tables of a mapped folder. A description is on the disk before the first
/// record of its table is stored. Owned by the folder; the caller lets only one thread at a time write.</summary>
/// <remarks>The constructor reads the file, and throws when the file is damaged.</remarks>
internal sealed class CatalogFile(string path)
{
    public const ulong Magic = 0x315443454C495043; // "CPILECT1"
    public const uint VersionNow = 1;
    public const int LengthAt = 12;
    public const int DescriptionAt = 16;

    private readonly string _path = path;
    private byte[] _kept = Decode(File.ReadAllBytes(path), path);

    /// <summary>The description of the tables; empty when the folder never had one.</summary>
    public ReadOnlySpan<byte> Description => _kept;

    /// <summary>Makes the file of a folder without tables.</summary>
    public static void Create(string path) => CheckedFile.Replace(path, Encode([]));

    /// <summary>Replaces the description. The new one is on the disk when this method returns.</summary>
    /// <exception cref="PileFolderException">The new description cannot be written; the old one is kept.</exception>
    public void Keep(byte[] description)
    {
        if (description.AsSpan().SequenceEqual(_kept))
            return;
        try
        {
            CheckedFile.Replace(_path, Encode(description));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new PileFolderException(
                _path,
                "the description of the tables cannot be written: a new table is not given out, and what was changed "
                + $"is forgotten with the process. {e.Message}");
        }

        _kept = description;
    }

    private static byte[] Encode(ReadOnlySpan<byte> description)
    {
        var bytes = new byte[DescriptionAt + description.Length + sizeof(ulong)];
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(LengthAt), description.Length);
        description.CopyTo(bytes.AsSpan(DescriptionAt));
        CheckedFile.Seal(bytes, new CheckedFile.Form(Magic, VersionNow, bytes.Length));
        return bytes;
    }

    private static byte[] Decode(ReadOnlySpan<byte> bytes, string path)
    {
        // A file too short to hold its length counts as a description of zero bytes; the check then fails.
        var length = bytes.Length < DescriptionAt ? 0 : BinaryPrimitives.ReadUInt32LittleEndian(bytes[LengthAt..]);
        var whole = Math.Min(DescriptionAt + (long)length + sizeof(ulong), int.MaxValue);
        CheckedFile.Check(bytes, path, new CheckedFile.Form(Magic, VersionNow, (int)whole));
        return bytes.Slice(DescriptionAt, (int)length).ToArray();
    }
}
