using Cluster.Pile.Layout;

namespace Cluster.Pile.Slabs;

/// <summary>The number by which a row of the tables vouches for itself where the tables outlive their process: for the
/// block that it is of, its entry and its high water, which nothing else in memory can tell. Stateless.</summary>
/// <remarks>It is never zero, so a row of zeros is always damaged, also that of a block that was never used. While the
/// row changes it is the <see cref="Changing"/> one, so a process may die between any two stores.</remarks>
internal static class RowCheck
{
    private const uint SettledSeed = uint.MaxValue;
    private const uint ChangingSeed = 0x5A5A5A5A;

    /// <summary>Of a row between changes. Versions wrap at any time, and nobody asks for their count later.</summary>
    public static uint Of(long block, SlabEntry entry, uint highWater)
    {
        var sum = BitOperations.Crc32C(SettledSeed, (ulong)block);
        sum = BitOperations.Crc32C(sum, entry.WithoutWraps);
        return NeverZero(BitOperations.Crc32C(sum, (ulong)highWater));
    }

    /// <summary>Of a row that somebody was changing: the old, the new, or something in between.</summary>
    public static uint Changing(long block) => NeverZero(BitOperations.Crc32C(ChangingSeed, (ulong)block));

    private static uint NeverZero(uint sum) => sum == 0 ? 1 : sum;
}
