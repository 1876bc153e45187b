using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Tests;

public sealed class BlockMapTests
{
    [Fact]
    public void TryTake_RandomCounts_AgreesWithModel()
    {
        const int blocks = 1000;
        var random = new Random(99);
        var map = new BlockMap(blocks);
        var taken = new bool[blocks + 1];
        var held = new List<(long First, int Count)>();
        for (var i = 0; i < 20_000; i++)
        {
            if (random.Next(2) == 0)
            {
                var count = random.Next(10) == 0 ? random.Next(1, 300) : random.Next(1, 9);
                var expected = FirstFit(taken, count);
                Assert.Equal(expected, map.TryTake(count));
                if (expected == 0)
                    continue;
                held.Add((expected, count));
                Array.Fill(taken, true, (int)expected, count);
            }
            else if (held.Count > 0)
            {
                var index = random.Next(held.Count);
                var (first, count) = held[index];
                held.RemoveAt(index);
                for (var block = first; block < first + count; block++)
                    map.Release(block);
                Array.Fill(taken, false, (int)first, count);
            }

            Assert.Equal(blocks - held.Sum(run => run.Count), map.VacantCount);
        }
    }

    [Fact]
    public void TryTake_OfEverything_FindsIt()
    {
        var map = new BlockMap(512);
        Assert.Equal(1, map.TryTake(512));
        Assert.Equal(0, map.TryTake(1));
        map.Release(512);
        Assert.Equal(512, map.TryTake(1));
    }

    [Fact]
    public void Release_Twice_BreaksAnInvariant()
    {
        var map = new BlockMap(10);
        map.TryTake(3);
        map.Release(2);
        Assert.Throws<InvalidOperationException>(() => map.Release(2));
    }

    [Fact]
    public void Segment_TakenAndDiscarded_IsCountedUntilUsed()
    {
        const int segment = BlockLayout.BlocksPerSegment;
        var map = new BlockMap(3 * segment);
        Assert.True(map.TryTakeSegment(1));
        Assert.False(map.TryTakeSegment(1));
        Assert.False(map.TryTakeSegment(3));
        map.ReturnDiscarded(1);
        Assert.Equal(1, map.DiscardedCount);
        Assert.False(map.TryTakeSegment(1));
        Assert.Equal(1, map.TryTake(segment));
        Assert.Equal(1, map.DiscardedCount);
        Assert.Equal(segment + 1, map.TryTake(1));
        Assert.Equal(0, map.DiscardedCount);
        Assert.False(map.TryTakeSegment(1));
    }

    private static int FirstFit(bool[] taken, int count)
    {
        for (var (first, run, block) = (1, 0, 1); block < taken.Length; block++)
        {
            (first, run) = taken[block] ? (block + 1, 0) : (first, run + 1);
            if (run == count)
                return first;
        }

        return 0;
    }
}
