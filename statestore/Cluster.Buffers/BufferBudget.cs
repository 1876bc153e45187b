using Cluster.Buffers.Extents;
using Cluster.Pile.Hosting;

namespace Cluster.Buffers;

/// <summary>The memory of buffers that belong to no pile: one budget for the whole process, with a hard cap.
/// Thread-safe.</summary>
public sealed class BufferBudget
{
    /// <summary>The default of <see cref="ReserveBytes"/>, unless an eighth of the cap is less: 1 GiB.</summary>
    public const long DefaultReserveBytes = 1L << 30;

    /// <summary>The smallest cap: 1 MiB.</summary>
    public const long MinCapBytes = 1L << 20;

    private const int ReserveFraction = 8;

    private readonly ProcessExtents _extents;
    private readonly BufferWatch _watch = new();

    internal BufferBudget(string name, SystemMemory memory, long capBytes)
    {
        Name = name;
        var reserveBytes = Math.Min(DefaultReserveBytes, capBytes / ReserveFraction);
        _extents = new ProcessExtents(name, memory, capBytes, reserveBytes);
        Heap = new BufferHeap(name, _extents, _watch);
    }

    /// <summary>The budget of all buffers without a pile.</summary>
    public static BufferBudget Process { get; } = CreateProcess();

    /// <summary>The name by which errors, leaks and metrics speak of the budget.</summary>
    public string Name { get; }

    /// <summary>The hard cap over all buffers without a pile and their reserve. Lowering it below what buffers take
    /// frees none; it refuses new ones until enough are freed.</summary>
    /// <value>Three quarters of the memory that this process may use, as the runtime and the limits of control group
    /// and address space tell it.</value>
    /// <exception cref="ArgumentOutOfRangeException">It is below 1 MiB, or above the memory limit of the process; the
    /// message has both numbers.</exception>
    public long CapBytes
    {
        get => _extents.CapBytes;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, MinCapBytes);
            if (SystemMemory.SmallestLimit() is { } limit && value > limit.Bytes)
            {
                throw new ArgumentOutOfRangeException(
                    nameof(value),
                    $"{nameof(CapBytes)} {value:N0} is above the {limit.Name} of this process, {limit.Bytes:N0}; lower "
                    + "the cap or raise the limit.");
            }

            _extents.CapBytes = value;
        }
    }

    /// <summary>How much memory of freed buffers stays resident, within the cap, for the next ones: they meet no page
    /// faults there. What is freed beyond goes back to the system in the background.</summary>
    /// <value>1 GiB, or an eighth of the default cap when that is less; zero keeps nothing.</value>
    /// <exception cref="ArgumentOutOfRangeException">It is negative.</exception>
    public long ReserveBytes
    {
        get => _extents.ReserveBytes;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _extents.ReserveBytes = value;
        }
    }

    /// <summary>What is done to find wrong uses, of buffers in piles, too, where this is the process-wide
    /// budget.</summary>
    /// <value><see cref="BufferDiagnostics.Full"/> in debug builds of this library, otherwise
    /// <see cref="BufferDiagnostics.Off"/>.</value>
    public BufferDiagnostics Diagnostics
    {
        get => _watch.Diagnostics;
        set => _watch.Diagnostics = value;
    }

    internal BufferHeap Heap { get; }

    internal BufferWatch Watch => _watch;

    internal IReadOnlyList<AddressRange> Ranges => _extents.Ranges;

    /// <summary>The last buffers that nobody freed, at most 64, the newest last; those of disposed piles, too, where
    /// this is the process-wide budget.</summary>
    public IReadOnlyList<BufferLeak> RecentLeaks() => _watch.RecentLeaks();

    /// <summary>What the buffers cost.</summary>
    public BufferStatistics GetStatistics() => new()
    {
        Buffers = Heap.Count,
        LiveBytes = Heap.Bytes,
        TakenBytes = _extents.TakenBytes,
        ReservedBytes = _extents.DirtyBytes,
        CapBytes = _extents.CapBytes,
        Leaks = _watch.LeakCount,
    };

    /// <summary>Makes memory resident until the reserve holds so much, at most <see cref="ReserveBytes"/> and what the
    /// cap allows, so that the next large buffers meet no page faults. Returns when it is done.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is negative.</exception>
    public void Prepare(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        _extents.Prepare(Math.Min(bytes, ReserveBytes));
    }

    /// <summary>Gives back the memory of the reserve beyond its limit at once, not in the background.</summary>
    internal void GiveBack() => _extents.GiveBack();

    /// <summary>Ends all buffers and releases the memory; the process-wide budget never ends.</summary>
    internal void Close()
    {
        Heap.Close();
        _extents.Close();
    }

    private static BufferBudget CreateProcess()
    {
        BufferMeter.EnsureCreated();
        return new BufferBudget("process-wide buffers", SystemMemory.OfThisProcess, CapDefault());
    }

    private static long CapDefault()
    {
        var available = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        if (SystemMemory.SmallestLimit() is { } limit)
            available = Math.Min(available, limit.Bytes);
        return Math.Max(MinCapBytes, available / 4 * 3);
    }
}

/// <summary>How much is done to find wrong uses of buffers.</summary>
public enum BufferDiagnostics
{
    /// <summary>Nothing beyond the checks of bounds and lifetime that are always on.</summary>
    Off = 0,

    /// <summary>Every buffer remembers where it was created, for the report when nobody frees it, and the memory of a
    /// freed buffer is filled with junk (the byte 0xDD, in its first 16 MiB), so that a span kept too long is
    /// noticed.</summary>
    Full = 1,
}
