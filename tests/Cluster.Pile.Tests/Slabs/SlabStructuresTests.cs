using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Tests.Slabs;

/// <summary>Bitmap, lists and magazines on a small range.</summary>
public sealed class SlabStructuresTests : IDisposable
{
    private readonly BlockLayout _layout = new(PileOptions.MinBudgetBytes);
    private readonly NativeRange _range;

    public SlabStructuresTests() => _range = NativeRangePool.Rent(NativeMemorySource.ForThisSystem, _layout.RangeBytes);

    public void Dispose() => NativeRangePool.Return(_range);

    [Theory]
    [InlineData(1)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(4096)]
    public void Bitmap_SetAllTakeAndSet_AgreesWithModel(int slots)
    {
        var bitmap = new SlotBitmap(_range.OpenWindow(), _layout);
        bitmap.SetAll(3, slots);
        var taken = new int[7];
        var all = new List<int>();
        for (int count; (count = bitmap.Take(3, slots, taken)) > 0;)
            all.AddRange(taken.Take(count));
        Assert.Equal(Enumerable.Range(0, slots), all);
        Assert.False(bitmap.IsSet(4, 0));

        bitmap.Set(3, slots - 1);
        Assert.Throws<InvalidOperationException>(() => bitmap.Set(3, slots - 1));
        Assert.True(bitmap.IsSet(3, slots - 1));
        Assert.Equal(1, bitmap.Take(3, slots, taken));
        Assert.Equal(slots - 1, taken[0]);
    }

    [Fact]
    public void Lists_GiveTheFullestFirst_AndInOrderOfArrival()
    {
        var table = new SlabTable(_range.OpenWindow(), _layout);
        var lists = new SlabLists(table);
        Assert.Equal(0, lists.Fullest());
        lists.Place(5, freeSlots: 100, slots: 100);
        lists.Place(6, freeSlots: 50, slots: 100);
        lists.Place(7, freeSlots: 1, slots: 100);
        lists.Place(8, freeSlots: 2, slots: 100);
        Assert.Equal(7, lists.Fullest());
        lists.Place(7, freeSlots: 0, slots: 100);
        Assert.Equal(8, lists.Fullest());
        lists.Remove(8);
        lists.Remove(8);
        Assert.Equal(6, lists.Fullest());
        lists.Place(6, freeSlots: 100, slots: 100);
        Assert.Equal([5L, 6L], lists.Empty(_ => true));
        Assert.Equal([6L], lists.Empty(head => head == 6));
    }

    [Fact]
    public void Lists_UnderRandomMoves_AgreeWithModel()
    {
        var table = new SlabTable(_range.OpenWindow(), _layout);
        var lists = new SlabLists(table);
        var free = new Dictionary<long, int>();
        var random = new Random(5);
        for (var i = 0; i < 5000; i++)
        {
            var head = random.Next(1, 50);
            free[head] = random.Next(0, 81);
            lists.Place(head, free[head], 80);
            var fullest = lists.Fullest();
            var best = free.Where(slab => slab.Value > 0).Select(slab => (slab.Value - 1) / 10).DefaultIfEmpty(-1).Min();
            Assert.Equal(best, fullest == 0 ? -1 : (free[fullest] - 1) / 10);
        }
    }

    [Fact]
    public void Magazine_FirstInFirstOut()
    {
        var magazine = default(Magazine);
        Assert.True(magazine.Take().IsDefault);
        var (next, expected) = (1L, 1L);
        var random = new Random(3);
        for (var i = 0; i < 1000; i++)
        {
            if (random.Next(2) == 0 && !magazine.IsFull)
                magazine.Add(new PilePointer(7, next++), 8);
            else if (magazine.Count > 0)
                Assert.Equal(new PilePointer(7, expected++), magazine.Take());

            Assert.Equal(next - expected, magazine.Count);
        }

        magazine.Clear();
        Assert.True(magazine.Take().IsDefault);
    }

    [Fact]
    public void Entry_WhoseVersionsWrapped_IsOfTheSameLifeUntilItEnds()
    {
        var entry = default(SlabEntry).NextLife(SlabState.Slots, 7, position: 1, blocks: 4);
        Assert.True(entry.IsSameLife(new SlabEntry(entry.Word + (3 * SlabEntry.OneWrap))));
        Assert.False(entry.IsSameLife(entry.Freed()));
        Assert.False(entry.IsSameLife(entry.NextLife(SlabState.Slots, 7, position: 1, blocks: 4)));
    }
}
