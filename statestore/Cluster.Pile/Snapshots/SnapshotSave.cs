using Cluster.Pile.Barriers;
using Cluster.Pile.Layout;
using Cluster.Pile.Rebuild;

namespace Cluster.Pile.Snapshots;

/// <summary>Writes one snapshot of a pile while the pile stays in use. Used once, by one thread.</summary>
/// <remarks>
/// <list type="number">
/// <item>the folder is refused when another pile saves there, or another user can change it</item>
/// <item>the snapshot point: while no operation runs, ended blocks become vacant, the tables of records are described,
/// and the guard starts to keep blocks</item>
/// <item>the high waters of all blocks are written; values later than the snapshot point do no harm</item>
/// <item>each block of the snapshot is written; from the side log when a thread was about to change it</item>
/// <item>the block file is flushed; the guard stops keeping blocks</item>
/// <item>the manifest is written under a temporary name, flushed, renamed, and the folder flushed: from the rename on
/// this is the newest snapshot</item>
/// <item>the files of this pile before its two newest snapshots are deleted</item>
/// </list>
/// </remarks>
internal sealed class SnapshotSave(PileInterior pile, SnapshotFolder folder, CancellationToken cancellationToken)
{
    // The number of blocks that are copied ahead before the save checks again whether copying ahead is useful.
    private const int BlocksPerLook = 64;

    private readonly PileInterior _pile = pile;
    private readonly SnapshotFolder _folder = folder;
    private readonly CancellationToken _cancel = cancellationToken;
    private readonly SideLog _log = new SideLog(pile.Window, pile.Layout, pile.Arena, pile.Settings.LogBytesMax);
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
            var cut = TakeCut(out var cutTicks, out var cutStep);
            KeepAhead(cut);
            WriteWaters(writer, cut.BlockLast);
            WriteAll(writer, cut);
            writer.Complete();
            ThrowIfOver(cut);
            manifest = NewManifest(identity, generation, cutTicks, cutStep) with
            {
                BlockLast = cut.BlockLast,
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

    private SnapshotCut TakeCut(out long cutTicks, out uint cutStep)
    {
        SnapshotCut? cut = null;
        var (ticks, step) = (0L, 0u);
        _pile.Allocator.RunBetweenOperations(() =>
        {
            cut = new SnapshotCut(_pile.Table, _log, _pile.Arena.Frontier);
            ticks = _pile.Time.GetUtcNow().UtcTicks;
            step = _pile.Deadlines.Clock.Now;
            _tables = _pile.Records.All.Count == 0 ? [] : _pile.Records.Export();
            _pile.Table.Guard.Open(cut);
        });
        (cutTicks, cutStep) = (ticks, step);
        return cut!;
    }

    // Operations that read the guard before it was closed may still copy a block; they end before the log is closed.
    private void EndCut()
    {
        _pile.Table.Guard.Close();
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

    private void WriteAll(SnapshotWriter writer, SnapshotCut cut)
    {
        for (long block = 1; block <= cut.BlockLast; block++)
        {
            ThrowIfOver(cut);
            KeepAhead(cut);
            WriteLogged(writer);

            // Next may write to the file, so it comes before the claim, for which other threads wait.
            var payload = writer.Next();
            if (!cut.TryClaim(block, out var entry))
                continue;
            _pile.Window.CopyOut(_pile.Layout.BlockOffset(block), payload);
            cut.Release(block);
            Add(writer, block, entry);
        }

        WriteLogged(writer);
    }

    // Changes all over the pile reach every block within milliseconds, long before the block can be written, and must
    // copy it. While such changes come, the save copies ahead before it writes, so that they find about half of the
    // blocks copied.
    private void KeepAhead(SnapshotCut cut)
    {
        while (cut.KeptByChanges is var changes && changes != _changesSeen && _aheadNext <= cut.BlockLast)
        {
            _changesSeen = changes;
            ThrowIfOver(cut);
            for (var copied = 0; copied < BlocksPerLook && _aheadNext <= cut.BlockLast; _aheadNext++)
            {
                if (!cut.TryKeepAhead(_aheadNext, ref copied))
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

    private void ThrowIfOver(SnapshotCut cut)
    {
        _cancel.ThrowIfCancellationRequested();
        if (cut.GivenUp is { } reason)
            throw SnapshotFailure.GivenUp(reason);
        if (_pile.Registry.IsClosed)
            PileThrow.Disposed();
    }

    private SnapshotManifest NewManifest(Guid identity, long generation, long cutTicks, uint cutStep) => new()
    {
        Identity = identity,
        Generation = generation,
        CutTicks = cutTicks,
        CutStep = cutStep,
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
