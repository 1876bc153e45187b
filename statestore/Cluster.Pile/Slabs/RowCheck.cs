using Cluster.Pile.Layout;

namespace Cluster.Pile.Slabs;

/// <summary>The check number of a row of the tables, where the tables outlive their process. It covers the block
/// number, its entry and its high water, which can be derived from nothing else in memory. Stateless.</summary>
/// <remarks>It is never zero, so a row of zeros is always damaged, also that of a block that was never used. While the
/// row changes, its check is <see cref="Changing"/>, so that a process may die between any two stores.</remarks>
internal static class RowCheck
{
    private const uint SettledSeed = uint.MaxValue;
    private const uint ChangingSeed = 0x5A5A5A5A;

    /// <summary>The check of a row between changes. The count of version wraps is not covered, because it changes at
    /// any time and is not needed later.</summary>
    public static uint Of(long block, SlabEntry entry, uint highWater)
    {
        var sum = BitOperations.Crc32C(SettledSeed, (ulong)block);
        sum = BitOperations.Crc32C(sum, entry.WithoutWraps);
        return NeverZero(BitOperations.Crc32C(sum, (ulong)highWater));
    }

    /// <summary>The check of a row that was being changed: the row is the old one, the new one, or a mixture.</summary>
    public static uint Changing(long block) => NeverZero(BitOperations.Crc32C(ChangingSeed, (ulong)block));

    private static uint NeverZero(uint sum) => sum == 0 ? 1 : sum;
}
