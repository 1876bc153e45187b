using Cluster.Pile.Files;
using Cluster.Pile.Layout;

namespace Cluster.Pile.Snapshots;

/// <summary>Writes the records of a block file through one buffer of about 1 MiB. Owned by one save; not
/// thread-safe.</summary>
internal sealed class SnapshotWriter
{
    private const int RecordBytesMax = SnapshotRecord.Bytes + BlockLayout.BlockBytes;
    private const int RecordsPerWrite = 16;

    private readonly IPileFile _file;
    private readonly byte[] _buffer = GC.AllocateUninitializedArray<byte>(RecordsPerWrite * RecordBytesMax);
    private int _filled;

    public SnapshotWriter(IPileFile file, Guid identity)
    {
        _file = file;
        var header = SnapshotFormat.FileHeader(identity);
        header.CopyTo(_buffer, 0);
        _filled = header.Length;
    }

    /// <summary>The length of the file, with the records that are still in the buffer.</summary>
    public long Length { get; private set; }

    /// <summary>The memory for the payload of the next record; the caller fills it and calls
    /// <see cref="Add"/>.</summary>
    public Span<byte> Next()
    {
        if (_buffer.Length - _filled < RecordBytesMax)
            WriteOut();
        return _buffer.AsSpan(_filled + SnapshotRecord.Bytes, BlockLayout.BlockBytes);
    }

    /// <summary>Adds a record; the caller has written its payload.</summary>
    public void Add(SnapshotRecord record)
    {
        var payload = _buffer.AsSpan(_filled + SnapshotRecord.Bytes, record.Length);
        record.Write(_buffer.AsSpan(_filled), payload);
        _filled += SnapshotRecord.Bytes + record.Length;
    }

    /// <summary>Writes the rest of the buffer, flushes the file, and checks its length.</summary>
    public void Complete()
    {
        WriteOut();
        _file.Flush();
        if (_file.Length != Length)
            throw new IOException($"{Length:N0} bytes were written and the file has {_file.Length:N0}.");
    }

    private void WriteOut()
    {
        _file.Write(Length, _buffer.AsSpan(0, _filled));
        Length += _filled;
        _filled = 0;
    }
}
