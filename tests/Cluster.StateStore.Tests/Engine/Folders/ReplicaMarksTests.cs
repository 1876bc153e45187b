using Cluster.StateStore.Engine.Folders;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Tests.Engine.Folders;

[Trait("Case", "cluster-mapped")]
public sealed class ReplicaMarksTests
{
    private const int PartitionCount = 3;
    private const int First = 2;
    private const ulong Seed = 77;
    private static readonly PartitionId Partition = new(1);

    [Fact]
    public void Find_AfterSetAndClear_GivesTheNewestMark()
    {
        var memory = new MortalMemory(First + (PartitionCount * ReplicaMarks.PartitionWords));
        var marks = Open(memory);
        Assert.Null(marks.Find(Partition));
        for (var counter = 1; counter < 6; counter++)
        {
            marks.Set(Partition, Mark(counter));
            Assert.Equal(Mark(counter), marks.Find(Partition));
            Assert.Equal(Mark(counter), Open(memory).Find(Partition));
        }

        // A loss begins another history, whose entries may have smaller numbers.
        marks.Set(Partition, Mark(2, lossCount: 1));
        Assert.Equal(Mark(2, lossCount: 1), Open(memory).Find(Partition));
        Assert.Null(Open(memory).Find(new PartitionId(0)));
        Assert.Null(Open(memory).Find(new PartitionId(2)));
        marks.Clear(Partition);
        Assert.Null(marks.Find(Partition));
        Assert.Null(Open(memory).Find(Partition));
    }

    [Fact]
    public void Open_AnyWordIsChangedOrOfAnotherPile_GivesNoOtherMark()
    {
        var memory = new MortalMemory(First + (PartitionCount * ReplicaMarks.PartitionWords));
        var marks = Open(memory);
        marks.Set(Partition, Mark(5));
        marks.Set(Partition, Mark(6));
        Assert.Null(new ReplicaMarks(memory, First, PartitionCount, Seed + 1).Find(Partition));
        for (var index = First; index < First + (PartitionCount * ReplicaMarks.PartitionWords); index++)
        {
            var word = memory[index];
            memory[index] = word ^ 0x100;
            Assert.Contains(Open(memory).Find(Partition)?.Entry.Counter, new long?[] { 5, 6 });
            memory[index] = word;
        }
    }

    /// <summary>The process ends before each of the stores. Then the old mark is there, or the new one, or that before
    /// the old one: each of them was right, and stays right until it is cleared.</summary>
    [Fact]
    public void Process_EndsBetweenAnyTwoStores_LeavesAMarkThatIsTrue()
    {
        for (var seed = 0; seed < 20; seed++)
        {
            var isOver = false;
            for (var stores = 0; !isOver; stores++)
                isOver = LivesThrough(new Random(seed), stores);
        }
    }

    private static bool LivesThrough(Random random, int stores)
    {
        var memory = new MortalMemory(First + (PartitionCount * ReplicaMarks.PartitionWords)) { StoresLeft = stores };
        var marks = Open(memory);

        // All marks since the partition had none, the newest one last. The last one may not be finished.
        var set = new List<BaseMark>();
        var isClearing = false;
        try
        {
            for (var step = 1; step < 12; step++)
            {
                isClearing = random.Next(4) == 0;
                if (isClearing)
                {
                    marks.Clear(Partition);
                    set.Clear();
                    Assert.Null(Open(memory).Find(Partition));
                    continue;
                }

                set.Add(Mark(step));
                marks.Set(Partition, Mark(step));
            }

            return true;
        }
        catch (ProcessEndedException)
        {
            memory.StoresLeft = int.MaxValue;
            var found = Open(memory).Find(Partition);
            if (found is { } mark)
                Assert.Contains(mark, isClearing ? set : set.TakeLast(2));
            else
                Assert.True(isClearing || set.Count == 1, $"no mark of {set.Count}");
            return false;
        }
    }

    private static ReplicaMarks Open(MortalMemory memory) => new(memory, First, PartitionCount, Seed);

    private static BaseMark Mark(long counter, int lossCount = 0) => new(EntryId.Of(3, counter), lossCount);
}
