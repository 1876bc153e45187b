using Cluster.Pile.Barriers;
using Cluster.Pile.Context;
using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Mapped.Intents;
using Cluster.Pile.Memory;
using Cluster.Pile.Rebuild;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Mapped;

/// <summary>The attached folder of one pile's memory: locked, checked and mapped. Owned by the pile; the parts that it
/// gives out protect themselves.</summary>
/// <remarks>
/// <list type="number">
/// <item>lock the folder; create it when it is new</item>
/// <item>check header, state, types and the sizes of the other files; bring the tables to the budget</item>
/// <item>map it, read the intents, and note that the folder is in use</item>
/// <item><see cref="Attach"/>: finish the updates in progress, and rebuild the bookkeeping of the pile</item>
/// <item><see cref="Close"/>: take the checksums of blocks, write everything to the disk, and then the clean-shutdown
/// marker</item>
/// </list>
/// </remarks>
internal sealed class MappedFolder : IPileStorage
{
    private readonly MappedFiles _files;
    private readonly FolderLock _lock;
    private readonly MappedState _left;
    private readonly MappedClock _clock;
    private readonly OpenMappedFiles _parts;
    private readonly MappedIntents _intents;
    private readonly BlockLayout _layout;
    private readonly Action<SafeFileHandle> _flush;
    private SlotAllocator? _allocator;
    private MappedTotals? _totals;

    private MappedFolder(
        MappedFiles files, FolderLock held, OpenMappedFiles parts, MappedState left, PileOptions options)
    {
        (_files, _lock, _parts, _left) = (files, held, parts, left);
        _flush = options.FlushToDisk;
        IsCheckingBlocks = options.MappedFolderCheck == PileFolderCheck.Everything;
        _clock = new MappedClock(options.TimeProvider, left);
        Origin = parts.Header.ToOrigin(_clock.FirstStep, _clock.MomentFirst);
        _layout = new BlockLayout(options.BudgetBytes);
        Source = new MappedSource(_layout, parts.Tables, parts.Blocks, options.TimeProvider) { Folder = files.Folder };
        _intents = new MappedIntents(parts.Intents, Origin.Identity);
        try
        {
            // Checked before the state file says "in use": a refused folder stays as it was left.
            if (FindDamage() is { } damage)
                throw damage;
            WriteState(totals: null);
        }
        catch
        {
            ReleaseMemory();
            throw;
        }
    }

    public string Path => _files.Folder;

    /// <summary>The path of the file of the blocks, for messages.</summary>
    public string BlocksFile => _files.Blocks;

    /// <summary>The secret, identity and clock with which the pile continues.</summary>
    public PileOrigin Origin { get; }

    /// <summary>Whether blocks have checksums.</summary>
    public bool IsCheckingBlocks { get; }

    /// <summary>The number of the file that has the block tables.</summary>
    public uint TablesNumber => _parts.Header.TablesNumber;

    public CatalogFile Catalog => _parts.Catalog;

    public TypeLog Types => _parts.Types;

    public NativeRange Range => Source.Range;

    public MappedSource Source { get; }

    /// <summary>The file of the updates in progress.</summary>
    public UpdateIntents Intents => _intents.Records;

    /// <summary>Attaches the folder of the options, or creates it. Null: the options name no folder.</summary>
    /// <param name="options">Validated options.</param>
    /// <param name="isContinued">Whether the pile shall continue from a source other than the folder.</param>
    public static MappedFolder? Open(PileOptions options, bool isContinued)
    {
        if (options.MappedFolder is not { } path)
            return null;
        if (!OperatingSystem.IsLinux())
        {
            throw new PlatformNotSupportedException(
                $"{nameof(PileOptions)}.{nameof(PileOptions.MappedFolder)} is there on Linux only; use snapshots.");
        }

        var files = new MappedFiles(path);
        if (isContinued)
        {
            throw new PileFolderException(
                files.Folder,
                "a snapshot cannot be restored into a mapped folder. Restore it without one and put the objects over.");
        }

        FolderLock? held = null;
        OpenMappedFiles? parts = null;
        try
        {
            files.Prepare(new FolderRule(options.AllowSharedFolder));
            held = new FolderLock(files);
            if (File.Exists(files.Lost))
                throw Lost(files, "A process before this one found out when it ended.");
            FolderMaking.MakeWhenNew(files, options);
            var left = MappedState.Decode(File.ReadAllBytes(files.State), files.State);
            CheckBoot(files, left);
            left = PrepareForBudget(files, left, options.BudgetBytes);
            parts = new OpenMappedFiles(files, options.BudgetBytes);
            return new MappedFolder(files, held, parts, left, options);
        }
        catch (Exception e)
        {
            parts?.Dispose();
            held?.Dispose();
            if (e is IOException or UnauthorizedAccessException)
                throw new PileFolderException(files.Folder, $"the folder cannot be attached. {e.Message}", e);
            if (ContentFailure.Is(e))
                throw CheckedFile.Senseless(files.Folder, e);
            throw;
        }
    }

    /// <summary>Loads the content of the folder into a new pile that no other thread uses yet. On a failure the pile is
    /// abandoned, and the folder stays as it was found, for the next attempt.</summary>
    public void Attach(PileContext pile, Action abandon)
    {
        try
        {
            new MappedAttach(pile, this, _files).Run(_left, _clock.GapTicks);
            _allocator = pile.Allocator;
        }
        catch (Exception e)
        {
            abandon();
            if (ContentFailure.Is(e))
                throw CheckedFile.Senseless(Path, e);
            throw;
        }
    }

    /// <summary>Called when no thread is inside the attached pile any more: returns the free slots from the threads'
    /// caches, and reads the counters.</summary>
    public void TakeTotals(IReadOnlyList<ThreadCache> caches)
    {
        if (_allocator is not { } allocator)
            return;
        foreach (var cache in caches)
            allocator.Drain(cache);
        _totals = new MappedTotals(
            caches.Sum(cache => cache.Objects),
            caches.Sum(cache => cache.Links),
            caches.Sum(cache => cache.LiveBytes),
            [.. allocator.Heaps.Select(heap => heap.Count().RetiredSlots)]);
    }

    /// <summary>Unmaps the files and lets other piles attach the folder.</summary>
    public void Close(bool isAtRest)
    {
        try
        {
            if (isAtRest && _totals is not null)
            {
                var window = Source.Range.OpenWindow();
                if (IsCheckingBlocks)
                    BlockSums.TakeAll(new SlabTable(window, _layout), window, _layout);

                // The clean-shutdown marker must not reach the disk before the data that it vouches for.
                FlushAll();
                WriteState(_totals);
            }
        }
        catch (IOException e)
        {
            throw new PileFolderException(
                _files.Folder,
                "the folder was not marked as disposed, so the next attach looks at every object, and the death of the "
                + $"machine would lose it. {e.Message}");
        }
        finally
        {
            ReleaseMemory();
            _parts.Dispose();
            _lock.Dispose();
        }
    }

    // A system reports a failed write once and then forgets it: a second attempt would succeed without having
    // written.
    private void FlushAll()
    {
        try
        {
            _flush(_parts.Tables);
            _flush(_parts.Blocks);
        }
        catch (IOException e)
        {
            PrivateFiles.Write(_files.Lost, []);
            throw Lost(_files, e.Message);
        }
    }

    private static PileFolderException Lost(MappedFiles files, string reason) =>
        new(
            files.Folder,
            "the disk could not keep what was written, and nobody knows what it has. Restore a snapshot, or delete the "
            + $"folder and begin anew. {reason}");

    private PileFolderException? FindDamage()
    {
        if (Intents.FindDamage(_left.IsClean) is { } inIntents)
            return CheckedFile.Damaged(_files.Intents, inIntents);
        var found = _parts.Types.Records.Count;
        return Intents.TypeCount <= found
            ? null
            : CheckedFile.Damaged(
                _files.Types, $"{_files.Intents} says that {Intents.TypeCount} types were written; {found} are there.");
    }

    private void ReleaseMemory()
    {
        Source.Release();
        _intents.Release();
    }

    // A state without totals says that the folder is in use.
    private void WriteState(MappedTotals? totals)
    {
        var state = new MappedState
        {
            OriginTicks = _clock.OriginTicks,
            ElapsedTicks = _clock.ElapsedTicks,
            MomentTicks = _clock.MomentTicks,
            Boot = MachineBoot.Now(),
        };
        if (totals is not null)
            state = Vouch(state, totals);
        CheckedFile.Replace(_files.State, state.Encode());
    }

    private MappedState Vouch(MappedState state, MappedTotals totals)
    {
        var window = Source.Range.OpenWindow();
        var blockLast = TableChecksum.LastUsed(new SlabTable(window, _layout));
        return state with
        {
            IsClean = true,
            Objects = totals.Objects,
            Links = totals.Links,
            LiveBytes = totals.LiveBytes,
            RetiredSlots = totals.RetiredSlots,
            BlockLast = blockLast,
            TablesChecksum = TableChecksum.Of(window, _layout, blockLast),
        };
    }

    // The checksum of the old tables does not hold for tables that are made again.
    private static MappedState PrepareForBudget(MappedFiles files, MappedState left, long budgetBytes)
    {
        var header = MappedHeader.Decode(File.ReadAllBytes(files.Header), files.Header);
        if (!left.IsClean || header.BudgetBytes == budgetBytes)
            return left;
        left = left with { IsClean = false, Boot = MachineBoot.Now() };
        CheckedFile.Replace(files.State, left.Encode());
        return left;
    }

    // The last process stored into the memory of the machine; after a crash of the machine, an unknown part of it is
    // on the disk.
    private static void CheckBoot(MappedFiles files, MappedState left)
    {
        var now = MachineBoot.Now();
        if (left.IsClean || left.Boot == Guid.Empty || now == Guid.Empty || left.Boot == now)
            return;
        throw new PileFolderException(
            files.Folder,
            "the machine was started anew while a pile was attached, so the files may be of different moments. Restore "
            + "a snapshot, or delete the folder and begin anew.");
    }
}

/// <summary>The counters of a pile after its last thread has left it. An immutable value.</summary>
/// <param name="Objects">Live objects.</param>
/// <param name="Links">Live objects that have a body.</param>
/// <param name="LiveBytes">Payload bytes.</param>
/// <param name="RetiredSlots">The number of retired slots of each size class.</param>
internal sealed record MappedTotals(long Objects, long Links, long LiveBytes, IReadOnlyList<long> RetiredSlots);
