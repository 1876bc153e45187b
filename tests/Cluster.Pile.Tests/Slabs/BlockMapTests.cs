using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Tests.Slabs;

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
    public void ReadySegment_TakenAndGivenBack_IsCountedUntilUsed()
    {
        const int segment = BlockLayout.BlocksPerSegment;
        var map = new BlockMap((3 * segment) + 5);
        Assert.Equal(-1, map.TryTakeReadySegment(0));
        Assert.Equal(1, map.TryTake((3 * segment) + 5));
        Assert.Equal(new SegmentCounts(4, 0, 0, (3 * segment) + 5), map.Segments.Counts);
        for (var block = segment + 1; block <= (3 * segment) + 5; block++)
            map.Release(block);
        Assert.Equal(new SegmentCounts(1, 3, 0, (3 * segment) + 5), map.Segments.Counts);

        Assert.Equal(-1, map.TryTakeReadySegment(3));
        Assert.Equal(3, map.TryTakeReadySegment(2));
        map.ReturnSegment(3, hasMemory: false);
        Assert.Equal(new SegmentCounts(1, 2, 1, 3 * segment), map.Segments.Counts);
        Assert.Equal(2, map.TryTakeReadySegment(0));
        map.ReturnSegment(2, hasMemory: false);
        Assert.Equal(2, map.Segments.LowestAbsent());
        Assert.Equal(segment + 1, map.TryTake(segment + 1));
        Assert.Equal(new SegmentCounts(3, 0, 1, (2 * segment) + 1), map.Segments.Counts);
    }

    [Fact]
    public void AbsentSegment_TakenAndReturned_IsReadyOrAbsentAgain()
    {
        const int segment = BlockLayout.BlocksPerSegment;
        var map = new BlockMap(2 * segment);
        Assert.Equal(0, map.TryTakeAbsentSegment());
        Assert.Equal(segment + 1, map.TryTake(1));
        Assert.Equal(-1, map.TryTakeAbsentSegment());
        map.ReturnSegment(0, hasMemory: true);
        Assert.Equal((1, 1), (map.Segments.InUseCount, map.Segments.ReadyCount));
        Assert.Equal(0, map.TryTakeReadySegment(0));
        map.ReturnSegment(0, hasMemory: false);
        Assert.Equal(0, map.TryTakeAbsentSegment());
    }

    [Fact]
    public void Segments_UnderRandomWork_AgreeWithModel()
    {
        const int count = 20;
        var random = new Random(7);
        var map = new SegmentMap((count * BlockLayout.BlocksPerSegment) - 3);
        var states = new SegmentState[count];
        for (var i = 0; i < 5000; i++)
        {
            var segment = random.Next(count);
            var first = SegmentMap.FirstBlock(segment);
            if (states[segment] == SegmentState.InUse)
            {
                map.Release(first);
                states[segment] = SegmentState.Ready;
            }
            else if (random.Next(3) == 0)
            {
                map.NoteGivenBack(segment);
                states[segment] = SegmentState.GivenBack;
            }
            else
            {
                map.Take(first);
                states[segment] = SegmentState.InUse;
            }

            Assert.Equal(states[segment], map.StateOf(segment));
            Assert.Equal(Array.LastIndexOf(states, SegmentState.Ready), map.HighestReady());
            Assert.Equal(Array.FindIndex(states, IsAbsent), map.LowestAbsent());
            Assert.Equal(states.Count(IsAbsent), map.AbsentCount);
            Assert.Equal(states.Count(state => state == SegmentState.InUse), map.Counts.InUse);
        }

        static bool IsAbsent(SegmentState state) => state is SegmentState.Untouched or SegmentState.GivenBack;
    }

    [Fact]
    public void StarterSegment_GrowsBlockByBlock_LaterOnesComeWhole()
    {
        var map = new SegmentMap(20 * BlockLayout.BlocksPerSegment);
        map.Take(3);
        Assert.Equal(3, map.Counts.ResidentBlocks);
        map.Take(SegmentMap.FirstBlock(SegmentMap.StarterSegments));
        Assert.Equal(3 + BlockLayout.BlocksPerSegment, map.Counts.ResidentBlocks);
        map.Release(3);
        map.NoteGivenBack(0);
        Assert.Equal(BlockLayout.BlocksPerSegment, map.Counts.ResidentBlocks);
        Assert.Throws<InvalidOperationException>(() => map.NoteGivenBack(SegmentMap.StarterSegments));
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
