using Cluster.Pile.Memory;

namespace Cluster.Pile.Hosting;

/// <summary>Native memory that belongs to no pile, for libraries that have a separate budget. Thread-safe.</summary>
public sealed class SystemMemory
{
    private readonly INativeMemorySource _source;

    private SystemMemory(INativeMemorySource source) => _source = source;

    /// <summary>Memory that comes from the calls of this operating system.</summary>
    public static SystemMemory OfThisProcess { get; } = new(NativeMemorySource.ForThisSystem);

    /// <summary>Memory that comes from the portable allocator, which is used on systems without such calls.</summary>
    public static SystemMemory Portable { get; } = new(new PortableMemorySource());

    /// <summary>Whether reserved addresses take no memory before they are committed and touched.</summary>
    public bool ReservesFreely => _source.ReservesFreely;

    /// <summary>The tightest limit that the system sets on the memory of this process, with its name; null where none
    /// is set.</summary>
    public static (string Name, long Bytes)? SmallestLimit() =>
        MemoryLimits.OfThisProcess.Smallest() is { } limit ? (limit.Name, limit.Bytes) : null;

    /// <summary>The limit on the addresses of this process, with its name; null where none is set.</summary>
    public static (string Name, long Bytes)? AddressSpaceLimit() =>
        MemoryLimits.AddressSpace() is { } limit ? (limit.Name, limit.Bytes) : null;

    /// <summary>Takes an idle range that fits, or reserves one. Its start is aligned to 2 MiB, and its bytes are zero.
    /// False: the system refuses.</summary>
    /// <param name="bytes">The smallest length of the range.</param>
    /// <param name="range">The range.</param>
    public bool TryRent(long bytes, [NotNullWhen(true)] out AddressRange? range)
    {
        range = NativeRangePool.TryRent(_source, bytes, out var found) ? new AddressRange(found) : null;
        return range is not null;
    }
}
