using Cluster.Pile.Memory;
using Cluster.Pile.Objects;
using Cluster.Pile.Persistence;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;
using Cluster.Pile.Threads;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Mapped;

/// <summary>The folder in which one pile has its memory, attached: locked, checked and mapped. Owned by the pile; what
/// it hands out protects itself.</summary>
/// <remarks>
/// <list type="number">
/// <item>lock the folder; make it when it is new</item>
/// <item>check header, state, types and the sizes of the other files; bring the tables to the budget</item>
/// <item>map it, look at what was under way, and note that the folder is in use</item>
/// <item><see cref="Attach"/>: finish what was under way, and rebuild what the pile keeps beside its blocks</item>
/// <item><see cref="Return"/>: take the checksums of blocks, write everything to the disk, and then the clean-shutdown
/// marker</item>
/// </list>
/// </remarks>
internal sealed class MappedFolder
{
    private readonly MappedFiles _files;
    private readonly FolderLock _lock;
    private readonly MappedState _left;
    private readonly MappedClock _clock;
    private readonly MappedParts _parts;
    private readonly MappedIntents _intents;
    private readonly BlockLayout _layout;
    private readonly Action<SafeFileHandle> _flush;
    private SlotAllocator? _allocator;
    private MappedTotals? _totals;

    private MappedFolder(MappedFiles files, FolderLock held, MappedParts parts, MappedState left, PileOptions options)
    {
        (_files, _lock, _parts, _left) = (files, held, parts, left);
        _flush = options.FlushToDisk;
        IsCheckingBlocks = options.MappedFolderCheck == PileFolderCheck.Everything;
        _clock = new MappedClock(options.TimeProvider, left);
        Origin = parts.Header.ToOrigin(_clock.FirstStep, _clock.MomentFirst);
        _layout = new BlockLayout(options.BudgetBytes);
        Source = new MappedSource(_layout, parts.Tables, parts.Blocks, options.TimeProvider);
        _intents = new MappedIntents(parts.Intents, Origin.Identity);
        try
        {
            // Before the folder is noted as in use: a refused one stays as it was left.
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

    /// <summary>Where it is.</summary>
    public string Path => _files.Folder;

    /// <summary>The file of the blocks, for messages.</summary>
    public string BlocksFile => _files.Blocks;

    /// <summary>Secret, identity and clock with which the pile goes on.</summary>
    public PileOrigin Origin { get; }

    /// <summary>Whether blocks have checksums.</summary>
    public bool IsCheckingBlocks { get; }

    /// <summary>Which file has the tables.</summary>
    public uint TablesNumber => _parts.Header.TablesNumber;

    /// <summary>What the tables of records are.</summary>
    public CatalogFile Catalog => _parts.Catalog;

    /// <summary>The memory, with the range for the pile.</summary>
    public MappedSource Source { get; }

    /// <summary>What updates are about to do.</summary>
    public UpdateIntents Intents => _intents.Records;

    /// <summary>Attaches the folder of the options, or makes it; nothing when the options have none.</summary>
    /// <param name="options">Valid ones.</param>
    /// <param name="isContinued">Whether the pile shall go on with what something else than the folder has.</param>
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
        MappedParts? parts = null;
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
            parts = new MappedParts(files, options.BudgetBytes);
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

    /// <summary>Restores the types of the objects that are there, and keeps those that come.</summary>
    public TypeKeeper KeepTypes(TypeTable table) => new(table, _parts.Types, Intents);

    /// <summary>Brings a pile that was just made to what is in the folder; nobody else uses it yet. When that fails,
    /// the pile is abandoned, and the folder is left as it was found, for the next attempt.</summary>
    public void Attach(PileInterior pile, Action abandon)
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

    /// <summary>Gives the memory of a pile back whose last thread has left: to its folder or, without one, to the next
    /// pile. At rest means that no object is under a view.</summary>
    public static void Return(MappedFolder? folder, NativeRange range, bool isAtRest)
    {
        if (folder is null)
            NativeRangePool.Return(range);
        else
            folder.Close(isAtRest);
    }

    /// <summary>Called when no thread is inside the attached pile any more: brings the free slots that threads hold
    /// back, and takes the counters down.</summary>
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

    // Takes the files out of the memory and lets others attach them.
    private void Close(bool isAtRest)
    {
        try
        {
            if (isAtRest && _totals is not null)
            {
                var window = Source.Range.OpenWindow();
                if (IsCheckingBlocks)
                    BlockSums.TakeAll(new SlabTable(window, _layout), window, _layout);

                // The marker must not reach the disk before that which it vouches for.
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

    // A system says once that it could not write, and forgets it: another attempt would succeed without having written.
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

    // Without totals the folder is in use.
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
        MappedFiles.Replace(_files.State, state.Encode());
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

    // What vouches for the tables does not vouch for those that are made anew.
    private static MappedState PrepareForBudget(MappedFiles files, MappedState left, long budgetBytes)
    {
        var header = MappedHeader.Decode(File.ReadAllBytes(files.Header), files.Header);
        if (!left.IsClean || header.BudgetBytes == budgetBytes)
            return left;
        left = left with { IsClean = false, Boot = MachineBoot.Now() };
        MappedFiles.Replace(files.State, left.Encode());
        return left;
    }

    // What the last process stored was in the memory of the machine, and the disk has an unknown part of it.
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
