using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Tables;

namespace Cluster.Pile.Snapshots;

/// <summary>Reads the files of one snapshot and checks all content. Owned by one restore; not thread-safe.</summary>
internal sealed class SnapshotReader
{
    private readonly IPileFiles _files;
    private readonly string _manifestPath;
    private readonly string _path;
    private readonly byte[] _header = new byte[SnapshotRecord.Bytes];

    private SnapshotReader(SnapshotFolder folder, long generation, SnapshotManifest manifest)
    {
        _files = folder.Files;
        _manifestPath = folder.PathOf(generation, SnapshotFormat.ManifestEnding);
        _path = folder.PathOf(generation, SnapshotFormat.BlocksEnding);
        Manifest = manifest;
    }

    public SnapshotManifest Manifest { get; }

    /// <summary>Reads the manifest of a generation.</summary>
    public static SnapshotReader Open(SnapshotFolder folder, long generation)
    {
        var path = folder.PathOf(generation, SnapshotFormat.ManifestEnding);
        try
        {
            folder.CheckFile(path);
            folder.CheckFile(folder.PathOf(generation, SnapshotFormat.BlocksEnding));
            using var file = folder.Files.OpenRead(path);
            var bytes = new byte[Math.Min(file.Length, Array.MaxLength)];
            ReadWhole(file, path, 0, bytes);
            var manifest = SnapshotManifest.Decode(path, bytes);
            if (manifest.Generation != generation)
                throw SnapshotFailure.Foreign(path, $"it is the manifest of generation {manifest.Generation}");
            return new SnapshotReader(folder, generation, manifest);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw SnapshotFailure.Device(path, isSave: false, e);
        }
    }

    /// <summary>Reads the block file: first all high waters, by block; then the content of each block, into the memory
    /// that the target gives. The target is called after each block.</summary>
    public void Read(ISnapshotTarget target, CancellationToken cancellationToken)
    {
        try
        {
            using var file = _files.OpenRead(_path);
            Read(file, target, cancellationToken);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw SnapshotFailure.Device(_path, isSave: false, e);
        }
    }

    /// <summary>The failure for a block whose checksum is right but whose content is inconsistent.</summary>
    public PileSnapshotException Senseless(long block, string problem) =>
        SnapshotFailure.Damaged(_path, SnapshotFormat.FileHeaderBytes, problem, block);

    /// <summary>The failure for files whose checksums are right but whose content is inconsistent.</summary>
    public PileSnapshotException Senseless(Exception cause) => SnapshotFailure.Senseless(_manifestPath, cause);

    /// <summary>The description of the tables of records in the manifest; null when the pile had no tables.</summary>
    public RecordCatalog? ReadTables()
    {
        try
        {
            return Manifest.Tables.Length == 0 ? null : RecordCatalog.Decode(Manifest.Tables);
        }
        catch (InvalidDataException e)
        {
            throw SnapshotFailure.Damaged(_manifestPath, 0, e.Message);
        }
    }

    private void Read(IPileFile file, ISnapshotTarget target, CancellationToken cancellationToken)
    {
        CheckHeader(file);
        var (watersLeft, blocksLeft) = (Manifest.BlockLast, Manifest.BlockCount);
        var seen = new BitArray(checked((int)Manifest.BlockLast + 1));
        for (long at = SnapshotFormat.FileHeaderBytes; at < Manifest.BlockFileBytes;)
        {
            cancellationToken.ThrowIfCancellationRequested();
            ReadWhole(file, _path, at, _header);
            var record = SnapshotRecord.Read(_header);
            if (record.Kind == SnapshotRecord.KindWaters && record.Block == Manifest.BlockLast - watersLeft + 1)
                watersLeft -= ReadWaters(file, at, record, target);
            else if (record.Kind == SnapshotRecord.KindBlock && watersLeft == 0 && IsNew(record, seen))
                blocksLeft -= ReadBlock(file, at, record, target);
            else
                throw SnapshotFailure.Damaged(_path, at, "the record is none of a snapshot, or there twice");
            at += SnapshotRecord.Bytes + record.Length;
        }

        if (watersLeft != 0 || blocksLeft != 0)
            throw SnapshotFailure.Damaged(_path, Manifest.BlockFileBytes, "it does not have all blocks");
    }

    private void CheckHeader(IPileFile file)
    {
        if (file.Length != Manifest.BlockFileBytes)
        {
            throw SnapshotFailure.Damaged(
                _path,
                file.Length,
                $"it has {file.Length:N0} bytes and the manifest says {Manifest.BlockFileBytes:N0}");
        }

        var header = new byte[SnapshotFormat.FileHeaderBytes];
        ReadWhole(file, _path, 0, header);
        if (BinaryPrimitives.ReadUInt64LittleEndian(header) != SnapshotFormat.BlocksMagic)
            throw SnapshotFailure.Foreign(_path, "it does not begin as a block file does");
        var expected = SnapshotFormat.FileHeader(Manifest.Identity);
        if (Checksum.Of(header.AsSpan(0, header.Length - sizeof(uint)))
            != BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(header.Length - sizeof(uint))))
        {
            throw SnapshotFailure.Damaged(_path, 0, "the checksum of its beginning does not match");
        }

        if (BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(8)) is var version and > SnapshotFormat.Version)
            throw SnapshotFailure.Newer(_path, version);
        if (!header.AsSpan().SequenceEqual(expected))
            throw SnapshotFailure.Foreign(_path, "it belongs to another manifest");
    }

    private bool IsNew(SnapshotRecord record, BitArray seen)
    {
        var isBlock = record.Length == BlockLayout.BlockBytes
            && record.Block >= 1 && record.Block <= Manifest.BlockLast;
        if (!isBlock || seen[(int)record.Block])
            return false;
        seen[(int)record.Block] = true;
        return true;
    }

    private long ReadWaters(IPileFile file, long at, SnapshotRecord record, ISnapshotTarget target)
    {
        if (record.Length is <= 0 or > BlockLayout.BlockBytes || record.Length % sizeof(uint) != 0)
            throw SnapshotFailure.Damaged(_path, at, "the length of a record is none");
        var payload = new byte[record.Length];
        ReadPayload(file, at, record, payload);
        var count = record.Length / sizeof(uint);
        for (var i = 0; i < count; i++)
        {
            var counter = BinaryPrimitives.ReadUInt32LittleEndian(payload.AsSpan(i * sizeof(uint)));
            target.SetHighWater(record.Block + i, counter);
        }

        return count;
    }

    private int ReadBlock(IPileFile file, long at, SnapshotRecord record, ISnapshotTarget target)
    {
        ReadPayload(file, at, record, target.PlaceOf(record.Block));
        target.Take(record.Block, new Cluster.Pile.Layout.SlabEntry(record.Entry));
        return 1;
    }

    private void ReadPayload(IPileFile file, long at, SnapshotRecord record, Span<byte> payload)
    {
        ReadWhole(file, _path, at + SnapshotRecord.Bytes, payload);
        if (!SnapshotRecord.IsIntact(_header, payload))
            throw SnapshotFailure.Damaged(_path, at, "the checksum does not match", record.Block);
    }

    private static void ReadWhole(IPileFile file, string path, long at, Span<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            var read = file.Read(at, bytes);
            if (read == 0)
                throw SnapshotFailure.Damaged(path, at, "it ends too early");
            at += read;
            bytes = bytes[read..];
        }
    }
}
