using Cluster.Pile.Context;
using Cluster.Pile.Expiry;
using Cluster.Pile.Layout;
using Cluster.Pile.Rebuild;
using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Rebuild;

namespace Cluster.Pile.Snapshots;

/// <summary>Creates a pile from a snapshot. Pointers of the snapshot stay valid; pointers that were given out after the
/// snapshot are rejected. Used once, by one thread.</summary>
internal sealed class SnapshotRestore<TPile> : ISnapshotTarget, IDisposable
    where TPile : class, IPersistedPile
{
    private readonly PileOptions _options;
    private readonly SnapshotReader _reader;
    private readonly SnapshotManifest _manifest;
    private readonly RecordCatalog? _tables;
    private readonly uint[] _waters;
    private readonly long _ticksSince;
    private readonly Func<PileOrigin, TPile> _create;
    private TPile? _pile;
    private Rebuilder? _rebuilder;

    private SnapshotRestore(PileOptions options, SnapshotReader reader, Func<PileOrigin, TPile> create)
    {
        _options = options;
        _create = create;
        _reader = reader;
        _manifest = reader.Manifest;
        _tables = reader.ReadTables();
        _waters = new uint[_manifest.BlockLast + 1];
        _ticksSince = Math.Max(0, options.TimeProvider.GetUtcNow().UtcTicks - _manifest.PointTicks);
    }

    /// <summary>Restores a generation; the newest when none is given. If the newest one is damaged, the failure names
    /// an older complete one.</summary>
    /// <param name="folder">The folder of the generations.</param>
    /// <param name="options">The options of the pile.</param>
    /// <param name="generation">The generation; null: the newest.</param>
    /// <param name="create">Creates the pile when its origin is known.</param>
    /// <param name="cancellationToken">Cancels the restore.</param>
    public static TPile Run(
        SnapshotFolder folder,
        PileOptions options,
        long? generation,
        Func<PileOrigin, TPile> create,
        CancellationToken cancellationToken)
    {
        var generations = Generations(folder);
        var wanted = generation ?? generations.FirstOrDefault();
        if (!generations.Contains(wanted))
            throw SnapshotFailure.Missing(folder.Path, generation);
        try
        {
            return Run(SnapshotReader.Open(folder, wanted), options, create, cancellationToken);
        }
        catch (PileSnapshotException e) when (e.Problem != PileSnapshotProblem.BudgetTooSmall)
        {
            var good =
                generations.FirstOrDefault(g => g < wanted && SnapshotCheck.IsWhole(folder, g, cancellationToken));
            if (good == 0)
                throw;
            throw e.WithGoodGeneration(good);
        }
    }

    private static TPile Run(
        SnapshotReader reader, PileOptions options, Func<PileOrigin, TPile> create, CancellationToken cancellationToken)
    {
        try
        {
            using var restore = new SnapshotRestore<TPile>(options, reader, create);
            return restore.Run(cancellationToken);
        }
        catch (Exception e) when (ContentFailure.Is(e))
        {
            throw reader.Senseless(e);
        }
    }

    private static List<long> Generations(SnapshotFolder folder)
    {
        try
        {
            folder.CheckFolder();
            return folder.Generations();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw SnapshotFailure.Device(folder.Path, isSave: false, e);
        }
    }

    /// <summary>Disposes the pile unless the restore was completed.</summary>
    public void Dispose() => _pile?.Dispose();

    public void SetHighWater(long block, uint counter) => _waters[block] = counter;

    public Span<byte> PlaceOf(long block)
    {
        if (_pile is null)
            Begin();
        return _pile!.Context.Window.WritableSpan(_pile.Context.Layout.BlockOffset(block), BlockLayout.BlockBytes);
    }

    public void Take(long block, SlabEntry entry)
    {
        _pile!.Context.Table.SetEntry(block, entry);
        _rebuilder!.Visit(block);
    }

    private TPile Run(CancellationToken cancellationToken)
    {
        var layout = new BlockLayout(_options.BudgetBytes);
        if (_manifest.BlockHighest > layout.BlockCount)
            throw SnapshotFailure.TooSmall(_options.BudgetBytes, BlockLayout.BudgetFor(_manifest.BlockHighest));
        _reader.Read(this, cancellationToken);
        if (_pile is null)
            Begin();
        _rebuilder!.Finish(Math.Min(_manifest.BlockLast, layout.BlockCount));
        RestoreTables(_pile!.Context.Records, _rebuilder.Segments);
        var whole = _pile!;
        _pile = null;
        return whole;
    }

    // Called after the objects that records own are restored.
    private void RestoreTables(RecordTables tables, IReadOnlyList<(long Head, long Blocks)> segments)
    {
        if (_tables is null && segments.Count > 0)
            throw _reader.Senseless(segments[0].Head, "It belongs to a log, and the manifest has no tables.");
        if (_tables is null)
            return;
        tables.Restore(_tables, segments, new RecordRebuildRules
        {
            IsPast = IsRecordPast,
            MayBeHalfMade = false,
            Damaged = (block, problem) => throw _reader.Senseless(block, problem),
        });
    }

    // Called when all high waters are known, and before the first block.
    private void Begin()
    {
        var layout = new BlockLayout(_options.BudgetBytes);
        var blockLast = Math.Min(_manifest.BlockLast, layout.BlockCount);
        _pile = _create(NewOrigin(blockLast));
        _pile.Context.Types.Restore(_manifest.Types);
        if (!_pile.Context.Arena.TryCommit(blockLast))
            throw new InsufficientMemoryException("The system refused memory for what the snapshot holds; free some.");
        for (long block = 1; block <= blockLast; block++)
            _pile.Context.Table.SetHighWater(block, _waters[block]);
        _rebuilder = new Rebuilder(_pile.Context, new RebuildRules
        {
            Margin = _manifest.Margin,
            BusyIsWhole = true,
            IsPast = IsPast,
            Damaged = (block, problem) => throw _reader.Senseless(block, problem),
        });
    }

    // With a smaller budget, some blocks are missing. If the budget grows again later, their slots must not begin below
    // the counters that they had.
    private PileOrigin NewOrigin(long blockLast)
    {
        var counter = _manifest.CounterFirst;
        for (var block = blockLast + 1; block < _waters.Length; block++)
            counter = Math.Max(counter, _waters[block]);
        return new PileOrigin
        {
            Mask = new GenerationMask(_manifest.SecretOffset, _manifest.SecretFactor),
            CounterFirst = Math.Min(counter + _manifest.Margin, GenerationMask.CounterMax),
            RecordTicks = _tables?.ClockTicks + _ticksSince,
            ClockStep = DeadlineSteps.OfObjects.At((_manifest.PointStep * DeadlineSteps.StepTicks) + _ticksSince),
            Identity = PileDirectory.IsOpen(_manifest.PileIdentity)
                ? PileDirectory.NewIdentity()
                : _manifest.PileIdentity,
            HasFloors = true,
        };
    }

    // Counted from the step of the snapshot point, because the clock may have wrapped around since.
    private bool IsPast(uint deadline) =>
        DeadlineSteps.OfObjects.IsPast(deadline, _manifest.PointStep, _ticksSince);

    // The same for the clock of records.
    private bool IsRecordPast(uint deadline) =>
        DeadlineSteps.OfRecords.IsPast(deadline, DeadlineSteps.OfRecords.At(_tables!.ClockTicks), _ticksSince);
}
