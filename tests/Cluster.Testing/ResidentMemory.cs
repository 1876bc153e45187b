using Cluster.Pile;

namespace Cluster.Testing;

/// <summary>Counts the memory of a range, page by page, in the tables of the kernel. Swapped pages count too. The count
/// is exact, even if other code of the process allocates memory. Stateless.</summary>
public static class ResidentMemory
{
    /// <summary>The file in which the kernel shows the pages of this process.</summary>
    public const string PageMap = "/proc/self/pagemap";

    private const ulong PresentOrSwapped = 3UL << 62;

    /// <summary>The bytes of a pile that are resident or swapped.</summary>
    public static long Of(LocalPile pile) => Of(pile.Range.Address, pile.Range.Length);

    /// <summary>The bytes of a range of addresses that are resident or swapped.</summary>
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
