using Cluster.Pile.Cells;
using Cluster.Pile.Files;
using Cluster.Pile.Memory;
using Cluster.Pile.Objects;
using Cluster.Pile.Snapshots;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile;

/// <summary>The options of a <see cref="LocalPile"/>. Mutable; a pile copies them when it is created. Not
/// thread-safe.</summary>
public sealed class PileOptions
{
    /// <summary>The default of <see cref="BudgetBytes"/>: 1 GiB.</summary>
    public const long DefaultBudgetBytes = 1L << 30;

    /// <summary>The smallest budget: 4 MiB.</summary>
    public const long MinBudgetBytes = 4L << 20;

    /// <summary>The largest budget: 512 GiB, the most that a pointer can address.</summary>
    public const long MaxBudgetBytes = 1L << (PilePointer.GranuleBits + 3);

    /// <summary>The default of <see cref="ReserveBytes"/>: 64 MiB.</summary>
    public const long DefaultReserveBytes = 64L << 20;

    /// <summary>The default of <see cref="SnapshotReuseMargin"/>: 65,536.</summary>
    public const int DefaultSnapshotReuseMargin = 1 << 16;

    private const int SnapshotReuseMarginMin = 1 << 14;
    private const int SnapshotReuseMarginMax = 1 << 24;
    private const int SnapshotLogPart = 4;

    /// <summary>The longest <see cref="PinWait"/>: one hour.</summary>
    public static readonly TimeSpan MaxPinWait = TimeSpan.FromHours(1);

    /// <summary>The hard limit of all memory of the pile, including bookkeeping and reserve. The pile reserves the
    /// addresses at once, and takes the memory from the system when objects need it. A budget above the memory limit of
    /// the process (control group, address space) is refused.</summary>
    /// <value>1 GiB; allowed are 4 MiB to 512 GiB.</value>
    public long BudgetBytes { get; set; } = DefaultBudgetBytes;

    /// <summary>The free memory that the pile keeps ready, within the budget: it is touched in the background ahead of
    /// use, and kept when freed. The first use of a page that the system must bring in costs 30 to 40 times that of a
    /// ready page. Nothing is prepared before the pile holds 16 MiB. From there on, a reserve of up to 64 MiB grows
    /// with the pile, to an eighth of the memory in use.</summary>
    /// <value>64 MiB; zero prepares and keeps nothing; more than the budget means all of it.</value>
    public long ReserveBytes { get; set; } = DefaultReserveBytes;

    /// <summary>The folder whose files are the memory of the pile. A new process attaches to the content that the last
    /// process stored, without copying: pointers and handles stay valid. One pile at a time uses the folder.
    /// Acknowledged changes survive the death of the process at any moment. They do not survive a failure of the
    /// machine; use snapshots for that. A file system in memory (such as <c>/dev/shm</c>) is the fastest
    /// place.</summary>
    /// <remarks>Linux only; other systems throw a <see cref="PlatformNotSupportedException"/>. While an update runs,
    /// also of a cell or a cache entry, both the new value and the old one take room.</remarks>
    /// <value>Null: the memory belongs to the process and ends with it.</value>
    public string? MappedFolder { get; set; }

    /// <summary>The part of the mapped folder whose checksums are compared at the next start. Ignored without a mapped
    /// folder.</summary>
    /// <value><see cref="PileFolderCheck.Everything"/>: start and <see cref="LocalPile.Dispose"/> read memory, some
    /// gigabytes in a second.</value>
    public PileFolderCheck MappedFolderCheck { get; set; } = PileFolderCheck.Everything;

    /// <summary>Whether mapped folders and snapshot folders are accepted that belong to another user, or to which other
    /// users may write; the same applies to each file in them. A user who can write there can create any object in this
    /// process. It is meant for container volumes, whose owner and mode cannot be chosen.</summary>
    /// <value>False: such a folder is refused. True: a warning is written to <see cref="System.Diagnostics.Trace"/>.
    /// New folders get mode 0700 and new files 0600 in both cases; on Windows new folders are created for the current
    /// user alone, and nothing is refused.</value>
    public bool AllowSharedFolder { get; set; }

    /// <summary>The name of this pile in the meter <c>Cluster.Pile</c>. Give each pile of a process a different
    /// name.</summary>
    /// <value>Null, which means <c>pile-1</c> and so on.</value>
    public string? Name { get; set; }

    /// <summary>The longest time that a change, a delete or a purge waits for other threads to close their views,
    /// measured by <see cref="TimeProvider"/>. After it, a <see cref="PileBusyException"/> is thrown. A thread never
    /// waits for its own view. The same time limits waits for cells in use.</summary>
    /// <value>One second; zero does not wait; at most one hour.</value>
    public TimeSpan PinWait { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Called for every view that was never disposed: when the pile is disposed, and when a thread waits for
    /// an object whose view belongs to a thread that has ended, which also releases the object. Runs under no lock, on
    /// the thread that noticed the view; its exceptions reach the caller there.</summary>
    /// <value>None: a warning is written to <see cref="System.Diagnostics.Trace"/>.</value>
    public Action<PileViewOrigin>? ViewAbandoned { get; set; }

    /// <summary>Called for every cell accessor that was never disposed: when the pile is disposed, and when a thread
    /// waits for a cell whose accessor belongs to a thread that has ended, which also releases the cell without its
    /// changes. Runs under no lock, on the thread that noticed the accessor; its exceptions reach the caller
    /// there.</summary>
    /// <value>None: a warning is written to <see cref="System.Diagnostics.Trace"/>.</value>
    public Action<CellAccessorOrigin>? CellAccessorAbandoned { get; set; }

    /// <summary>The clock of the pile, which measures times to live, rates and waits.</summary>
    /// <value>The system clock.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>The most bytes of the budget for copies of blocks that change while a snapshot is being written. The
    /// memory is taken only then, and only as needed. When it is not enough, the save fails and the changes
    /// continue.</summary>
    /// <value>Zero, which means a quarter of <see cref="BudgetBytes"/>.</value>
    public long SnapshotLogBytes { get; set; }

    /// <summary>How often one slot of memory may be reused after a snapshot, so that after a restore the pointers
    /// created since the snapshot are still refused. Written into the snapshot. <see cref="LocalPile.SaveEvery"/> saves
    /// early when some slot has been reused half as often.</summary>
    /// <value>65,536; allowed are 16,384 to 16,777,216. Each restore uses up that number of the 2^28
    /// generations.</value>
    public int SnapshotReuseMargin { get; set; } = DefaultSnapshotReuseMargin;

    /// <summary>The former names of types and members of stored graphs.</summary>
    internal TypeAliases Aliases { get; } = new();

    /// <summary>The file access of snapshots; tests let devices fail.</summary>
    internal IPileFiles Files { get; set; } = DiskFiles.Instance;

    /// <summary>Flushes a mapped file to the disk; tests let devices fail.</summary>
    internal Action<SafeFileHandle> FlushToDisk { get; set; } = RandomAccess.FlushToDisk;

    /// <summary>The first counter of every slot; tests start near the end to see a generation run out.</summary>
    internal uint GenerationFirst { get; set; } = 1;

    /// <summary>The source of native memory; tests force the portable one.</summary>
    internal INativeMemorySource MemorySource { get; set; } = NativeMemorySource.ForThisSystem;

    /// <summary>The memory limits of the process; tests invent limits.</summary>
    internal MemoryLimits Limits { get; set; } = MemoryLimits.OfThisProcess;

    /// <summary>Makes objects readable that a program stored before a type was renamed or moved to another namespace or
    /// assembly: see <see cref="Cluster.Slim.SlimOptions.Alias(string, Type)"/>. Applies to restored and mapped
    /// piles.</summary>
    /// <param name="oldName">The former full name; for another assembly followed by a comma and its simple
    /// name.</param>
    /// <param name="type">The present type; for generic types the definition.</param>
    /// <returns>These options.</returns>
    /// <exception cref="ArgumentException">The name belongs to another alias, or the type cannot have one.</exception>
    public PileOptions Alias(string oldName, Type type)
    {
        Aliases.Add(oldName, type, member: null);
        return this;
    }

    /// <summary>The same for a field or property: see
    /// <see cref="Cluster.Slim.SlimOptions.Alias(string, Type, string)"/>.</summary>
    /// <param name="oldName">The former name of the field or property.</param>
    /// <param name="type">The type that declares it; for generic types the definition.</param>
    /// <param name="member">The present name of the field or automatic property.</param>
    /// <returns>These options.</returns>
    /// <exception cref="ArgumentException">The type does not declare the member, or the alias exists.</exception>
    public PileOptions Alias(string oldName, Type type, string member)
    {
        ArgumentNullException.ThrowIfNull(member);
        Aliases.Add(oldName, type, member);
        return this;
    }

    internal SnapshotSettings SnapshotSettings(uint counterFirst) => new(
        SnapshotLogBytes == 0 ? BudgetBytes / SnapshotLogPart : SnapshotLogBytes,
        (uint)SnapshotReuseMargin,
        counterFirst);

    internal void ThrowIfWrong()
    {
        var problems = Problems();
        if (problems.Count > 0)
            throw new ArgumentException(string.Join(' ', problems), "options");
    }

    /// <summary>All problems of these settings, each with the option's name and the remedy.</summary>
    internal IReadOnlyList<string> Problems()
    {
        var problems = new List<string>();
        if (BudgetBytes is < MinBudgetBytes or > MaxBudgetBytes)
        {
            problems.Add($"{nameof(BudgetBytes)} is {BudgetBytes:N0}; "
                + $"set it from {MinBudgetBytes:N0} to {MaxBudgetBytes:N0}.");
        }

        if (ReserveBytes < 0)
            problems.Add($"{nameof(ReserveBytes)} is {ReserveBytes:N0}; set it to zero or more.");
        if (Name is not null && string.IsNullOrWhiteSpace(Name))
            problems.Add($"{nameof(Name)} is blank; set a name or null.");
        if (MappedFolder is not null && string.IsNullOrWhiteSpace(MappedFolder))
            problems.Add($"{nameof(MappedFolder)} is blank; set a folder or null.");
        if (!Enum.IsDefined(MappedFolderCheck))
        {
            problems.Add($"{nameof(MappedFolderCheck)} is {(int)MappedFolderCheck}; set it to "
                + $"{nameof(PileFolderCheck.Everything)} or {nameof(PileFolderCheck.Tables)}.");
        }

        if (PinWait < TimeSpan.Zero || PinWait > MaxPinWait)
            problems.Add($"{nameof(PinWait)} is {PinWait}; set it from zero to {MaxPinWait}.");
        if (TimeProvider is null)
            problems.Add($"{nameof(TimeProvider)} is null; set a clock or leave the system's.");
        if (SnapshotLogBytes < 0)
            problems.Add($"{nameof(SnapshotLogBytes)} is {SnapshotLogBytes:N0}; set it to zero or more.");
        if (SnapshotReuseMargin is < SnapshotReuseMarginMin or > SnapshotReuseMarginMax)
        {
            problems.Add($"{nameof(SnapshotReuseMargin)} is {SnapshotReuseMargin:N0}; "
                + $"set it from {SnapshotReuseMarginMin:N0} to {SnapshotReuseMarginMax:N0}.");
        }

        if (Limits.Smallest() is { } limit && BudgetBytes > limit.Bytes)
        {
            problems.Add($"{nameof(BudgetBytes)} is {BudgetBytes:N0}, above the {limit.Name} of this process, "
                + $"{limit.Bytes:N0}; lower the budget or raise the limit.");
        }

        return problems;
    }
}
