using Cluster.Pile.Memory;

namespace Cluster.Pile.Hosting;

/// <summary>Native memory that belongs to no pile, for libraries with a budget of their own. Thread-safe.</summary>
public sealed class SystemMemory
{
    private readonly INativeMemorySource _source;

    private SystemMemory(INativeMemorySource source) => _source = source;

    /// <summary>The memory of this process by the calls of its operating system.</summary>
    public static SystemMemory OfThisProcess { get; } = new(NativeMemorySource.ForThisSystem);

    /// <summary>The memory of this process by the portable allocator, as on systems without such calls.</summary>
    public static SystemMemory Portable { get; } = new(new PortableMemorySource());

    /// <summary>Whether reserved addresses take no memory before they are committed and touched.</summary>
    public bool ReservesFreely => _source.ReservesFreely;

    /// <summary>The tightest limit that the system puts on this process, by name; null where none is set.</summary>
    public static (string Name, long Bytes)? SmallestLimit() =>
        MemoryLimits.OfThisProcess.Smallest() is { } limit ? (limit.Name, limit.Bytes) : null;

    /// <summary>The limit on the addresses of this process, by name; null where none is set.</summary>
    public static (string Name, long Bytes)? AddressSpaceLimit() =>
        MemoryLimits.AddressSpace() is { } limit ? (limit.Name, limit.Bytes) : null;

    /// <summary>Takes an idle range that fits, or reserves one: its start is aligned to 2 MiB, and its bytes are zero.
    /// False when the system refuses.</summary>
    /// <param name="bytes">How long the range is at least.</param>
    /// <param name="range">The range.</param>
    public bool TryRent(long bytes, [NotNullWhen(true)] out AddressRange? range)
    {
        range = NativeRangePool.TryRent(_source, bytes, out var found) ? new AddressRange(found) : null;
        return range is not null;
    }
}
