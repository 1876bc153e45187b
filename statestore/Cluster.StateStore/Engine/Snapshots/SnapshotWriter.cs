using Cluster.Slim.Hosting;
using Cluster.StateStore.Hosting.Formats;

namespace Cluster.StateStore.Engine.Snapshots;

/// <summary>Writes one file of blocks, as <c>docs/formats/partition-snapshot.md</c> describes it. The file takes the
/// place of the one before only when it is complete and on the disk. Used by one thread.</summary>
internal sealed class SnapshotWriter : IDisposable
{
    /// <summary>The ending of a file that is not complete.</summary>
    public const string NewEnding = ".new";

    /// <summary>Kind, number and length.</summary>
    public const int HeaderBytes = 9;

    public const int ChecksumBytes = 8;

    private readonly string _path;
    private readonly FileStream _file;
    private readonly byte[] _header = new byte[HeaderBytes];
    private uint _number;
    private bool _isComplete;

    /// <summary>Begins a file.</summary>
    /// <param name="path">The file whose place it takes.</param>
    public SnapshotWriter(string path)
    {
        _path = path;
        File.Delete(path + NewEnding);
        _file = Open(path + NewEnding, FileMode.CreateNew);
    }

    /// <summary>Opens a file that nobody else can open, and that no other user can reach.</summary>
    public static FileStream Open(string path, FileMode mode)
    {
        var options = new FileStreamOptions
        {
            Mode = mode,
            Access = FileAccess.Write,
            Share = FileShare.None,
            BufferSize = 0,
        };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        return new FileStream(path, options);
    }

    /// <summary>Adds a block.</summary>
    /// <param name="kind">What it has.</param>
    /// <param name="body">Its content.</param>
    public void Add(SnapshotBlock kind, FormatWriter body)
    {
        _header[0] = (byte)kind;
        BinaryPrimitives.WriteUInt32LittleEndian(_header.AsSpan(1), _number++);
        BinaryPrimitives.WriteInt32LittleEndian(_header.AsSpan(5), body.Written.Length);
        Span<byte> checksum = stackalloc byte[ChecksumBytes];
        BinaryPrimitives.WriteUInt64LittleEndian(checksum, ChecksumOf(_header, body.Written));
        _file.Write(_header);
        _file.Write(body.Written);
        _file.Write(checksum);
    }

    /// <summary>The checksum of a block: that of the content, seeded with that of the header.</summary>
    public static ulong ChecksumOf(ReadOnlySpan<byte> header, ReadOnlySpan<byte> body) =>
        XxHash3.Hash(body, XxHash3.Hash(header));

    /// <summary>Brings the file to the disk and puts it into its place.</summary>
    public void Complete()
    {
        _file.Flush(flushToDisk: true);
        _file.Dispose();
        File.Move(_path + NewEnding, _path, overwrite: true);
        _isComplete = true;
    }

    /// <summary>Deletes the file if it is not complete: the disk may be full.</summary>
    public void Dispose()
    {
        _file.Dispose();
        if (!_isComplete)
            File.Delete(_path + NewEnding);
    }
}
