using Cluster.Pile.Cells;
using Cluster.Pile.Files;
using Cluster.Pile.Memory;
using Cluster.Pile.Objects;
using Cluster.Pile.Snapshots;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile;

/// <summary>What the user sets about a <see cref="LocalPile"/>. Mutable until the pile is built from it, which copies
/// it; not thread-safe.</summary>
public sealed class PileOptions
{
    /// <summary>The default of <see cref="BudgetBytes"/>: 1 GiB.</summary>
    public const long DefaultBudgetBytes = 1L << 30;

    /// <summary>The smallest budget: 4 MiB.</summary>
    public const long MinBudgetBytes = 4L << 20;

    /// <summary>The largest budget: 512 GiB, what a pointer can address.</summary>
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

    /// <summary>The hard cap over all memory of the pile, bookkeeping and reserve included; reserved as addresses at
    /// once, taken from the system as objects come. A budget above the memory limit of the process (control group,
    /// address space) is refused.</summary>
    /// <value>1 GiB; allowed are 4 MiB to 512 GiB.</value>
    public long BudgetBytes { get; set; } = DefaultBudgetBytes;

    /// <summary>How much memory beyond what objects use is kept ready, within the budget: touched in the background
    /// ahead of use, and kept when freed. A page that the system has to bring in costs 30 to 40 times a ready one.
    /// Nothing is prepared before the pile holds 16 MiB; from there on a reserve of up to 64 MiB grows with the pile,
    /// to an eighth of what is in use.</summary>
    /// <value>64 MiB; zero prepares and keeps nothing; more than the budget means all of it.</value>
    public long ReserveBytes { get; set; } = DefaultReserveBytes;

    /// <summary>The folder in whose files the pile has its memory, so that a process that starts anew attaches to what
    /// the last one stored, without copying: pointers and handles stay valid. One pile at a time has the folder. What
    /// was acknowledged survives the death of the process at any moment; it does not survive the death of the machine,
    /// for which there are snapshots. A file system in memory (such as <c>/dev/shm</c>) is the fastest place.</summary>
    /// <remarks>Linux only; elsewhere a <see cref="PlatformNotSupportedException"/>. An update, also of a cell or a
    /// cache entry, takes room for the new value beside the old one for its duration.</remarks>
    /// <value>Null: memory of the process, which ends with it.</value>
    public string? MappedFolder { get; set; }

    /// <summary>What of the mapped folder bears checksums that are compared at the next start. Without a folder it says
    /// nothing.</summary>
    /// <value><see cref="PileFolderCheck.Everything"/>: start and <see cref="LocalPile.Dispose"/> read memory, some
    /// gigabytes in a second.</value>
    public PileFolderCheck MappedFolderCheck { get; set; } = PileFolderCheck.Everything;

    /// <summary>Whether mapped folders and folders of snapshots are accepted that belong to another user, or to which
    /// other users may write; the same goes for each file in them. A user who can write there can make any object in
    /// this process. It is meant for container volumes, whose owner and mode cannot be chosen.</summary>
    /// <value>False: such a folder is refused. True: a warning is written to <see cref="System.Diagnostics.Trace"/>.
    /// New folders get mode 0700 and new files 0600 in both cases; on Windows new folders are made for the current user
    /// alone, and nothing is refused.</value>
    public bool AllowSharedFolder { get; set; }

    /// <summary>What the meter <c>Cluster.Pile</c> calls this pile; give each pile of a process its own name.</summary>
    /// <value>Null, which means <c>pile-1</c> and so on.</value>
    public string? Name { get; set; }

    /// <summary>How long a change, a delete or a purge waits, by <see cref="TimeProvider"/>, for views of other threads
    /// to be closed, before it throws a <see cref="PileBusyException"/>. A thread never waits for a view of its own.
    /// Cells in use are waited for as long.</summary>
    /// <value>One second; zero does not wait; at most one hour.</value>
    public TimeSpan PinWait { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Called for every view that was never disposed: when the pile is disposed, and when somebody waits for
    /// an object whose view's thread has ended, which also gives the object free. Runs on the thread that found out,
    /// under no lock; what it throws reaches the caller there.</summary>
    /// <value>None: a warning is written to <see cref="System.Diagnostics.Trace"/>.</value>
    public Action<PileViewOrigin>? ViewAbandoned { get; set; }

    /// <summary>Called for every accessor of a cell that was never disposed: when the pile is disposed, and when
    /// somebody waits for a cell whose accessor's thread has ended, which also gives the cell free as it was. Runs on
    /// the thread that found out, under no lock; what it throws reaches the caller there.</summary>
    /// <value>None: a warning is written to <see cref="System.Diagnostics.Trace"/>.</value>
    public Action<CellAccessorOrigin>? CellAccessorAbandoned { get; set; }

    /// <summary>The clock of the pile: times to live, rates and waits are measured by it.</summary>
    /// <value>The system's.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>How much of the budget copies of blocks may take that change while a snapshot is being written. Taken
    /// only then, and only as needed; when it is not enough, the save fails and the changes go on.</summary>
    /// <value>Zero, which means a quarter of <see cref="BudgetBytes"/>.</value>
    public long SnapshotLogBytes { get; set; }

    /// <summary>How often a piece of memory may be reused after a snapshot, so that pointers of that time are still
    /// refused once the snapshot has been restored. Written into the snapshot. <see cref="LocalPile.SaveEvery"/> saves
    /// early when some piece has been reused half as often.</summary>
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

    /// <summary>Lets objects be got that a program stored before a type was renamed or moved to another namespace or
    /// assembly: see <see cref="Cluster.Slim.SlimOptions.Alias(string, Type)"/>. Counts for restored and mapped
    /// piles.</summary>
    /// <param name="oldName">The full name; then, if the assembly was another one, a comma and its simple name.</param>
    /// <param name="type">The type today; for generic types the definition.</param>
    /// <returns>These options.</returns>
    /// <exception cref="ArgumentException">The name belongs to another alias, or the type cannot have one.</exception>
    public PileOptions Alias(string oldName, Type type)
    {
        Aliases.Add(oldName, type, member: null);
        return this;
    }

    /// <summary>The same for a field or property: see
    /// <see cref="Cluster.Slim.SlimOptions.Alias(string, Type, string)"/>.</summary>
    /// <param name="oldName">The old name of the field or property.</param>
    /// <param name="type">The type that declares it; for generic types the definition.</param>
    /// <param name="member">The field or automatic property today.</param>
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
