using Cluster.Pile.Memory;
using Cluster.Slim.Hosting;

namespace Cluster.Pile.Mapped;

/// <summary>What the small files of a mapped folder have in common: a magic number, a version, a fixed size, and a
/// checksum over all else at the end. Stateless.</summary>
internal static class CheckedFile
{
    private const int VersionAt = 8;
    private const int VersionEnd = 12;

    /// <summary>Throws, with the file and the place in it, when bytes are not whole.</summary>
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

    /// <summary>Writes what the form of a file says around the content that is there.</summary>
    public static void Seal(Span<byte> bytes, Form form)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, form.Magic);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[VersionAt..], form.Version);
        var checksumAt = form.Bytes - sizeof(ulong);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[checksumAt..], XxHash3.Hash(bytes[..checksumAt]));
    }

    /// <summary>What to throw for a file that something else than this program has changed.</summary>
    public static PileFolderException Damaged(string path, string found) =>
        new(path, $"the file is damaged: {found} Restore a snapshot, or delete the folder and begin anew.");

    /// <summary>What to throw for files whose checksums are right, and whose content is not.</summary>
    public static PileFolderException Senseless(string folder, Exception cause) =>
        new(
            folder,
            $"what the files say does not fit together, although their checksums are right: {cause.Message} Restore a "
            + "snapshot, or delete the folder and begin anew.",
            cause);

    /// <summary>The same for a block in the file of the blocks.</summary>
    public static PileFolderException DamagedBlock(string path, long block, string problem)
    {
        var start = (block - 1) * BlockLayout.BlockBytes;
        return Damaged(path, $"block {block:N0}, bytes {start:N0}..{start + BlockLayout.BlockBytes - 1:N0}: {problem}");
    }

    /// <summary>What a kind of file begins with and how long it is.</summary>
    public readonly record struct Form(ulong Magic, uint Version, int Bytes);
}
