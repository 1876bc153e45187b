namespace Cluster.StateStore.Engine.Snapshots;

/// <summary>Reads the blocks of one file and checks each of them. Used by one thread.</summary>
internal sealed class SnapshotReader : IDisposable
{
    private readonly FileStream _file;
    private readonly byte[] _header = new byte[SnapshotWriter.HeaderBytes];
    private byte[] _body = [];
    private uint _number;

    /// <summary>Opens a file.</summary>
    public SnapshotReader(string path)
    {
        _file = new FileStream(
            path,
            new FileStreamOptions
            {
                Share = FileShare.Read | FileShare.Delete,
                BufferSize = 0,
                Options = FileOptions.SequentialScan,
            });
    }

    /// <summary>The kind of the block that was read last.</summary>
    public SnapshotBlock Kind { get; private set; }

    /// <summary>The content of the block that was read last; valid until the next one is read.</summary>
    public ReadOnlyMemory<byte> Body { get; private set; }

    /// <summary>Reads the next block.</summary>
    /// <returns>False at the end of the file.</returns>
    /// <exception cref="StateFormatException">The block is damaged.</exception>
    public bool Read()
    {
        var left = _file.Length - _file.Position;
        if (left == 0)
            return false;
        if (left < SnapshotWriter.HeaderBytes + SnapshotWriter.ChecksumBytes)
            throw Damaged("ends within a block");
        _file.ReadExactly(_header);
        var length = BinaryPrimitives.ReadInt32LittleEndian(_header.AsSpan(5));
        left -= SnapshotWriter.HeaderBytes + SnapshotWriter.ChecksumBytes;
        if (length < 0 || length > left)
            throw Damaged($"has a block of {length} bytes, and {left} bytes left");
        if (_body.Length < length + SnapshotWriter.ChecksumBytes)
            _body = new byte[length + SnapshotWriter.ChecksumBytes];
        _file.ReadExactly(_body.AsSpan(0, length + SnapshotWriter.ChecksumBytes));
        var checksum = SnapshotWriter.ChecksumOf(_header, _body.AsSpan(0, length));
        if (checksum != BinaryPrimitives.ReadUInt64LittleEndian(_body.AsSpan(length)))
            throw Damaged("has a checksum of other bytes");
        if (BinaryPrimitives.ReadUInt32LittleEndian(_header.AsSpan(1)) != _number)
            throw Damaged($"has another block in the place of block {_number}");
        _number++;
        Kind = (SnapshotBlock)_header[0];
        Body = _body.AsMemory(0, length);
        return true;
    }

    /// <inheritdoc />
    public void Dispose() => _file.Dispose();

    private StateFormatException Damaged(string how) => new($"The snapshot {_file.Name} {how}.");
}
