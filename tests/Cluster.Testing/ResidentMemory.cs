using Cluster.Pile;

namespace Cluster.Testing;

/// <summary>How much of a range has memory, page by page, as the kernel sees it: exact, whatever else the process
/// does. Stateless.</summary>
public static class ResidentMemory
{
    /// <summary>Where the kernel tells it.</summary>
    public const string PageMap = "/proc/self/pagemap";

    private const ulong PresentOrSwapped = 3UL << 62;

    /// <summary>Resident bytes of a pile.</summary>
    public static long Of(LocalPile pile) => Of(pile.Range.Address, pile.Range.Length);

    /// <summary>Resident bytes of a range of addresses.</summary>
    public static long Of(nint address, long length)
    {
        var pageBytes = Environment.SystemPageSize;
        using var map = new FileStream(PageMap, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0);
        map.Position = address / pageBytes * sizeof(ulong);
        var buffer = new byte[1 << 20];
        long pages = 0;
        for (var left = (length + pageBytes - 1) / pageBytes * sizeof(ulong); left > 0;)
        {
            var part = buffer.AsSpan(0, (int)Math.Min(left, buffer.Length));
            map.ReadExactly(part);
            foreach (var page in MemoryMarshal.Cast<byte, ulong>(part))
                pages += (page & PresentOrSwapped) != 0 ? 1 : 0;
            left -= part.Length;
        }

        return pages * pageBytes;
    }
}
