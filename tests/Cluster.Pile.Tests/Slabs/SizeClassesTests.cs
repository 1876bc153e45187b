using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Tests.Slabs;

public sealed class SizeClassesTests
{
    private static IEnumerable<SizeClass> All => Enumerable.Range(0, SizeClasses.Count).Select(i => SizeClasses.At(i));

    [Fact]
    public void Sizes_RiseExactlyThenBySixPercent()
    {
        var sizes = All.Select(c => c.SlotBytes).ToList();
        Assert.Equal(Enumerable.Range(2, 63).Select(i => i * 8), sizes.Take(63));
        Assert.Equal(262_152, sizes[^1]);
        for (var i = 63; i < sizes.Count; i++)
            Assert.InRange(sizes[i], sizes[i - 1] + 8, (int)(sizes[i - 1] * 1.06));
        for (var power = 512; power < 262_144; power *= 2)
            Assert.All((int[])[8, 16, 24], extra => Assert.Contains(power + extra, sizes));
    }

    [Fact]
    public void IndexFor_AnyLength_IsTheSmallestThatHolds()
    {
        for (var bytes = 8; bytes <= SizeClasses.SlotBytesMax; bytes++)
        {
            var index = SizeClasses.IndexFor(bytes);
            Assert.True(SizeClasses.At(index).SlotBytes >= bytes);
            Assert.True(index == 0 || SizeClasses.At(index - 1).SlotBytes < bytes);
        }
    }

    [Fact]
    public void SlotAt_EveryGranule_FindsExactlyTheBorders()
    {
        foreach (var sizeClass in All.Where(c => c.Index % 7 == 0 || c.SlotBytes > 60_000))
        {
            foreach (var blocks in (int[])[sizeClass.BlocksYoung, sizeClass.BlocksMature])
            {
                var granules = blocks * BlockLayout.GranulesPerBlock;
                for (var at = 0; at < granules; at++)
                {
                    var isBorder = at % sizeClass.SlotGranules == 0 && at + sizeClass.SlotGranules <= granules;
                    if (sizeClass.SlotAt(at, blocks) != (isBorder ? at / sizeClass.SlotGranules : -1))
                        Assert.Fail($"slots of {sizeClass.SlotBytes} in {blocks} blocks at granule {at}");
                }
            }
        }
    }

    [Fact]
    public void Slabs_OfEveryClass_HoldASlotAndWasteLittle()
    {
        Assert.All(All, c =>
        {
            Assert.InRange(c.BlocksYoung, 1, SlabEntry.BlocksMax);
            Assert.InRange(c.BlocksMature, c.BlocksYoung, SlabEntry.BlocksMax);
            Assert.InRange(c.SlotsIn(c.BlocksYoung), 1, BlockLayout.BitmapBytes * 8 * c.BlocksYoung);
            var bytes = c.BlocksMature * BlockLayout.BlockBytes;
            Assert.InRange((double)(bytes - (c.SlotsIn(c.BlocksMature) * c.SlotBytes)) / bytes, 0, 0.125);
            Assert.Equal(0, c.MagazineSlots & (c.MagazineSlots - 1));
        });
    }

    [Fact]
    public void IsYoung_EndsAtItsBound()
    {
        Assert.True(SizeClasses.At(0).IsYoung(SizeClasses.YoungBytesMax - 1));
        Assert.False(SizeClasses.At(0).IsYoung(SizeClasses.YoungBytesMax));
        Assert.True(SizeClasses.At(SizeClasses.Count - 1).IsYoung(0));
        Assert.False(SizeClasses.At(SizeClasses.Count - 1).IsYoung(1));
    }
}
