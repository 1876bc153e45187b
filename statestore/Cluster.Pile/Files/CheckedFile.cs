using Cluster.Pile.Layout;
using Cluster.Slim.Hosting;

namespace Cluster.Pile.Files;

/// <summary>The common form of the small files of a mapped folder: magic number, version, fixed size, and at the end a
/// checksum over everything before it. Stateless.</summary>
internal static class CheckedFile
{
    /// <summary>The ending of a new version of a file, until it takes the place of the old one.</summary>
    public const string NewEnding = ".new";

    private const int VersionAt = 8;
    private const int VersionEnd = 12;

    /// <summary>Replaces a small file atomically: afterwards it has either the old content or the new
    /// content.</summary>
    public static void Replace(string path, ReadOnlySpan<byte> content)
    {
        var written = path + NewEnding;
        using (var file = PrivateFiles.CreateNew(written))
        {
            file.Write(content);
            file.Flush(flushToDisk: true);
        }

        File.Move(written, path, overwrite: true);
    }

    /// <summary>Throws, with the file and the place in it, when the bytes are damaged.</summary>
    public static void Check(ReadOnlySpan<byte> bytes, string path, Form form)
    {
        if (bytes.Length < VersionEnd || BinaryPrimitives.ReadUInt64LittleEndian(bytes) != form.Magic)
            throw Damaged(path, $"bytes 0..7 must be the number {form.Magic:x16} of this kind of file, and are not.");
        var version = BinaryPrimitives.ReadUInt32LittleEndian(bytes[VersionAt..]);
        if (version != form.Version)
        {
            throw new PileFolderException(
                path, $"version {version} was found at byte {VersionAt}, and this program knows version {form.Version} "
                    + "only. Attach with the program that wrote it.");
        }

        if (bytes.Length != form.Bytes)
            throw Damaged(path, $"the file must have {form.Bytes} bytes and has {bytes.Length}.");
        var checksumAt = form.Bytes - sizeof(ulong);
        if (XxHash3.Hash(bytes[..checksumAt]) != BinaryPrimitives.ReadUInt64LittleEndian(bytes[checksumAt..]))
            throw Damaged(path, $"bytes 0..{checksumAt - 1} do not agree with the checksum behind them.");
    }

    /// <summary>Writes magic number, version and checksum around the content that the caller has written.</summary>
    public static void Seal(Span<byte> bytes, Form form)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, form.Magic);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[VersionAt..], form.Version);
        var checksumAt = form.Bytes - sizeof(ulong);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[checksumAt..], XxHash3.Hash(bytes[..checksumAt]));
    }

    /// <summary>The exception for a file that something other than this program has changed.</summary>
    public static PileFolderException Damaged(string path, string found) =>
        new(path, $"the file is damaged: {found} Restore a snapshot, or delete the folder and begin anew.");

    /// <summary>The exception for files whose checksums are right but whose content is not.</summary>
    public static PileFolderException Senseless(string folder, Exception cause) =>
        new(
            folder,
            $"what the files say does not fit together, although their checksums are right: {cause.Message} Restore a "
            + "snapshot, or delete the folder and begin anew.",
            cause);

    /// <summary>The exception for a damaged block in the file of the blocks.</summary>
    public static PileFolderException DamagedBlock(string path, long block, string problem)
    {
        var start = (block - 1) * BlockLayout.BlockBytes;
        return Damaged(path, $"block {block:N0}, bytes {start:N0}..{start + BlockLayout.BlockBytes - 1:N0}: {problem}");
    }

    /// <summary>The magic number, version and size of one kind of file.</summary>
    public readonly record struct Form(ulong Magic, uint Version, int Bytes);
}
