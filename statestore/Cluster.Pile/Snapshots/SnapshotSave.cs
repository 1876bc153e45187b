using Cluster.Pile.Barriers;
using Cluster.Pile.Context;
using Cluster.Pile.Layout;

namespace Cluster.Pile.Snapshots;

/// <summary>Writes one snapshot of a pile while the pile stays in use. Used once, by one thread.</summary>
/// <remarks>
/// <list type="number">
/// <item>the folder is refused when another pile saves there, or another user can change it</item>
/// <item>the snapshot point: while no operation runs, ended blocks become vacant, the tables of records are described,
/// and the guard starts to keep blocks</item>
/// <item>the high waters of all blocks are written; values later than the snapshot point do no harm</item>
/// <item>each block of the snapshot is written; from the pre-image log when a thread was about to change it</item>
/// <item>the block file is flushed; the guard stops keeping blocks</item>
/// <item>the manifest is written under a temporary name, flushed, renamed, and the folder flushed: from the rename on
/// this is the newest snapshot</item>
/// <item>the files of this pile before its two newest snapshots are deleted</item>
/// </list>
/// </remarks>
internal sealed class SnapshotSave(PileContext pile, SnapshotFolder folder, CancellationToken cancellationToken)
{
    // The number of blocks that are copied ahead before the save checks again whether copying ahead is useful.
    private const int BlocksPerLook = 64;

    private readonly PileContext _pile = pile;
    private readonly SnapshotFolder _folder = folder;
    private readonly CancellationToken _cancel = cancellationToken;
    private readonly PreImageLog _log =
        new PreImageLog(pile.Window, pile.Layout, pile.Arena, pile.Settings.LogBytesMax);
    private long _blocks;
    private long _blockHighest;
    private long _aheadNext = 1;
    private long _changesSeen = -1;
    private byte[] _tables = [];

    /// <summary>The size of all files of the snapshot; valid after the save.</summary>
    public long Bytes { get; private set; }

    public void Run()
    {
        var path = _folder.Path;
        try
        {
            _folder.Prepare();
            using var alone = _folder.Hold();
            var own = _folder.GenerationsOf(_pile.Identity);
            var generation = _folder.Generations().FirstOrDefault() + 1;
            path = _folder.PathOf(generation, SnapshotFormat.BlocksEnding);
            var manifest = WriteBlocks(path, generation);
            path = _folder.PathOf(generation, SnapshotFormat.ManifestEnding);
            WriteManifest(path, manifest);
            Tidy([generation, .. own]);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw SnapshotFailure.Device(path, isSave: true, e);
        }
    }

    private SnapshotManifest WriteBlocks(string path, long generation)
    {
        var identity = Guid.NewGuid();
        using var file = _folder.Files.Create(path);
        var writer = new SnapshotWriter(file, identity);
        SnapshotManifest manifest;
        try
        {
            var point = TakeCut(out var pointTicks, out var pointStep);
            KeepAhead(point);
            WriteWaters(writer, point.BlockLast);
            WriteAll(writer, point);
            writer.Complete();
            ThrowIfOver(point);
            manifest = NewManifest(identity, generation, pointTicks, pointStep) with
            {
                BlockLast = point.BlockLast,
                BlockHighest = _blockHighest,
                BlockCount = _blocks,
                BlockFileBytes = writer.Length,
            };
        }
        finally
        {
            EndCut();
        }

        return manifest;
    }

    private SnapshotPoint TakeCut(out long pointTicks, out uint pointStep)
    {
        SnapshotPoint? point = null;
        var (ticks, step) = (0L, 0u);
        _pile.Allocator.RunBetweenOperations(() =>
        {
            point = new SnapshotPoint(_pile.Table, _log, _pile.Arena.Frontier);
            ticks = _pile.Time.GetUtcNow().UtcTicks;
            step = _pile.Deadlines.Clock.Now;
            _tables = _pile.Records.All.Count == 0 ? [] : _pile.Records.Export();
            _pile.Table.Barrier.Open(point);
        });
        (pointTicks, pointStep) = (ticks, step);
        return point!;
    }

    // Operations that read the guard before it was closed may still copy a block; they end before the log is closed.
    private void EndCut()
    {
        _pile.Table.Barrier.Close();
        if (!_pile.Registry.IsClosed)
            _pile.Registry.WaitForOperations();
        _log.Close();
    }

    private void WriteWaters(SnapshotWriter writer, long blockLast)
    {
        const int perRecord = BlockLayout.BlockBytes / sizeof(uint);
        for (long first = 1; first <= blockLast; first += perRecord)
        {
            var count = (int)Math.Min(perRecord, blockLast - first + 1);
            var payload = writer.Next();
            for (var i = 0; i < count; i++)
            {
                var counter = _pile.Table.HighWater(first + i);
                BinaryPrimitives.WriteUInt32LittleEndian(payload[(i * sizeof(uint))..], counter);
            }

            writer.Add(new SnapshotRecord(SnapshotRecord.KindWaters, count * sizeof(uint), first, 0));
        }
    }

    private void WriteAll(SnapshotWriter writer, SnapshotPoint point)
    {
        for (long block = 1; block <= point.BlockLast; block++)
        {
            ThrowIfOver(point);
            KeepAhead(point);
            WriteLogged(writer);

            // Next may write to the file, so it comes before the claim, for which other threads wait.
            var payload = writer.Next();
            if (!point.TryClaim(block, out var entry))
                continue;
            _pile.Window.CopyOut(_pile.Layout.BlockOffset(block), payload);
            point.Release(block);
            Add(writer, block, entry);
        }

        WriteLogged(writer);
    }

    // Changes all over the pile reach every block within milliseconds, long before the block can be written, and must
    // copy it. While such changes come, the save copies ahead before it writes, so that they find about half of the
    // blocks copied.
    private void KeepAhead(SnapshotPoint point)
    {
        while (point.KeptByChanges is var changes && changes != _changesSeen && _aheadNext <= point.BlockLast)
        {
            _changesSeen = changes;
            ThrowIfOver(point);
            for (var copied = 0; copied < BlocksPerLook && _aheadNext <= point.BlockLast; _aheadNext++)
            {
                if (!point.TryKeepAhead(_aheadNext, ref copied))
                    return;
            }
        }
    }

    private void WriteLogged(SnapshotWriter writer)
    {
        while (_log.TryTake(out var logged))
        {
            _pile.Window.CopyOut(_pile.Layout.BlockOffset(logged.Copy), writer.Next());
            _log.Return(logged.Copy);
            Add(writer, logged.Block, logged.Entry);
        }
    }

    private void Add(SnapshotWriter writer, long block, SlabEntry entry)
    {
        writer.Add(new SnapshotRecord(SnapshotRecord.KindBlock, BlockLayout.BlockBytes, block, entry.Word));
        _blocks++;
        _blockHighest = Math.Max(_blockHighest, block);
    }

    private void ThrowIfOver(SnapshotPoint point)
    {
        _cancel.ThrowIfCancellationRequested();
        if (point.GivenUp is { } reason)
            throw SnapshotFailure.GivenUp(reason);
        if (_pile.Registry.IsClosed)
            PileErrors.Disposed();
    }

    private SnapshotManifest NewManifest(Guid identity, long generation, long pointTicks, uint pointStep) => new()
    {
        Identity = identity,
        Generation = generation,
        PointTicks = pointTicks,
        PointStep = pointStep,
        SecretOffset = _pile.Mask.Secret.Offset,
        SecretFactor = _pile.Mask.Secret.Factor,
        PileIdentity = _pile.Identity,
        CounterFirst = _pile.Settings.CounterFirst,
        Margin = _pile.Settings.Margin,
        BudgetBytes = _pile.Layout.BudgetBytes,
        BlockLast = 0,
        BlockHighest = 0,
        BlockCount = 0,
        BlockFileBytes = 0,
        Types = _pile.Types.Export(),
        Tables = _tables,
    };

    private void WriteManifest(string path, SnapshotManifest manifest)
    {
        var bytes = manifest.Encode();
        var temporary = path + SnapshotFormat.TemporaryEnding;
        using (var file = _folder.Files.Create(temporary))
        {
            file.Write(0, bytes);
            file.Flush();
            if (file.Length != bytes.Length)
                throw new IOException($"{bytes.Length:N0} bytes were written and the file has {file.Length:N0}.");
        }

        _folder.Files.FlushFolder(_folder.Path);

        // A user may have copied the snapshot of another pile into the folder meanwhile.
        _folder.GenerationsOf(_pile.Identity);
        _folder.Files.Rename(temporary, path);
        _folder.Files.FlushFolder(_folder.Path);
        Bytes = manifest.BlockFileBytes + bytes.Length;
    }

    // The new snapshot is complete, even if the deletion of old ones fails.
    private void Tidy(List<long> own)
    {
        try
        {
            _folder.Tidy(own);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return;
        }
    }
}
