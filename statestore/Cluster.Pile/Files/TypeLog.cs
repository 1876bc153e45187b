using Cluster.Slim.Hosting;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Files;

/// <summary>The file with the descriptions of the types of a mapped folder, in the order of their numbers. A
/// description is on the disk before the first object of its type is stored. Owned by the folder; its lock guards
/// appending.</summary>
/// <remarks>An incomplete record at the end was being written when the process died, so no object of its type is
/// stored. The next append cuts it off; by then, the other files have shown that no record is missing. Any other
/// incomplete record means damage. The layout is in <c>docs/formats/mapped-files.md</c>.</remarks>
internal sealed class TypeLog : IDisposable
{
    public const ulong Magic = 0x31505954454C4950; // "PILETYP1"
    public const int HeadBytes = 16;

    private const int FileHeadBytes = 8;
    private const int LengthCheckAt = 4;
    private const int ChecksumAt = 8;

    private readonly Lock _gate = new();
    private readonly string _path;
    private readonly SafeFileHandle _file;
    private readonly List<byte[]> _records = [];
    private long _end;
    private bool _hasUnfinished;

    /// <summary>Opens the file. An incomplete record at the end stays until the next append.</summary>
    public TypeLog(string path)
    {
        _path = path;
        _file = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.Read);
        try
        {
            var bytes = new byte[checked((int)RandomAccess.GetLength(_file))];
            var count = RandomAccess.Read(_file, bytes, 0);
            Read(bytes.AsSpan(0, count), path);
            _hasUnfinished = _end < count;
        }
        catch
        {
            _file.Dispose();
            throw;
        }
    }

    public IReadOnlyList<byte[]> Records => _records;

    /// <summary>Creates a file without records.</summary>
    public static void Create(string path)
    {
        var head = new byte[FileHeadBytes];
        BinaryPrimitives.WriteUInt64LittleEndian(head, Magic);
        PrivateFiles.Write(path, head);
    }

    /// <summary>Appends a description. It is on the disk when this method returns.</summary>
    public void Append(ReadOnlySpan<byte> description)
    {
        var record = new byte[HeadBytes + description.Length];
        lock (_gate)
        {
            BinaryPrimitives.WriteInt32LittleEndian(record, description.Length);
            var lengthCheck = CheckOf(record.AsSpan(0, LengthCheckAt), _records.Count);
            BinaryPrimitives.WriteUInt32LittleEndian(record.AsSpan(LengthCheckAt), (uint)lengthCheck);
            BinaryPrimitives.WriteUInt64LittleEndian(
                record.AsSpan(ChecksumAt), CheckOf(description, _records.Count));
            description.CopyTo(record.AsSpan(HeadBytes));
            Write(record);
            _end += record.Length;
            _records.Add(description.ToArray());
        }
    }

    public void Dispose() => _file.Dispose();

    // An incomplete record must not stay where the next record is written.
    private void Write(byte[] record)
    {
        try
        {
            if (_hasUnfinished)
                RandomAccess.SetLength(_file, _end);
            _hasUnfinished = false;
            RandomAccess.Write(_file, record, _end);
            RandomAccess.FlushToDisk(_file);
        }
        catch (Exception e) when (e is IOException or ArgumentOutOfRangeException)
        {
            // The runtime throws ArgumentOutOfRangeException for a limit on the size of files.
            RandomAccess.SetLength(_file, _end);
            throw new PileFolderException(
                _path, $"the description of a type cannot be written, so no object of it was stored. {e.Message}");
        }
    }

    private void Read(ReadOnlySpan<byte> bytes, string path)
    {
        if (bytes.Length < FileHeadBytes || BinaryPrimitives.ReadUInt64LittleEndian(bytes) != Magic)
            throw CheckedFile.Damaged(path, $"bytes 0..7 must be the number {Magic:x16} of a type log, and are not.");
        _end = FileHeadBytes;
        while (bytes.Length - _end >= HeadBytes && TryRead(bytes[(int)_end..], path))
        {
            // Reads one record after the other, up to an incomplete one.
        }
    }

    private bool TryRead(ReadOnlySpan<byte> bytes, string path)
    {
        var number = _records.Count;
        var lengthCheck = (uint)CheckOf(bytes[..LengthCheckAt], number);
        if (BinaryPrimitives.ReadUInt32LittleEndian(bytes[LengthCheckAt..]) != lengthCheck)
        {
            throw CheckedFile.Damaged(
                path, $"the head of record {number}, at byte {_end}, does not agree with its check.");
        }

        var length = BinaryPrimitives.ReadInt32LittleEndian(bytes);
        if (length > bytes.Length - HeadBytes)
            return false;
        var description = bytes.Slice(HeadBytes, length);
        if (BinaryPrimitives.ReadUInt64LittleEndian(bytes[ChecksumAt..]) != CheckOf(description, number))
            throw CheckedFile.Damaged(path, $"record {number}, at byte {_end}, does not agree with its checksum.");
        _records.Add(description.ToArray());
        _end += HeadBytes + length;
        return true;
    }

    // The hash includes the number, so that a record in a wrong place is not accepted.
    private static ulong CheckOf(ReadOnlySpan<byte> bytes, int number) => XxHash3.Hash(bytes, (ulong)number + 1);
}
