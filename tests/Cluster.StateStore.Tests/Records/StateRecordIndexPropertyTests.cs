using Cluster.Pile;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Tests.Records;

public sealed class StateRecordIndexPropertyTests
{
    [Fact]
    public void Index_RandomAddsAndRemovals_FindsExactlyWhatIsThere()
    {
        for (var seed = 0; seed < 200; seed++)
        {
            var random = new Random(seed);

            // Few different tags, many of which lie at the end of the table: this makes long probe sequences that wrap
            // around.
            uint[] tags = [.. Enumerable.Range(0, 12).Select(n => n < 6 ? uint.MaxValue - (uint)n : (uint)random.Next())];
            var index = new StateRecordIndex();
            var model = new List<(uint Tag, PilePointer Pointer)>();
            for (var step = 1; step < 300; step++)
            {
                if (model.Count == 0 || random.Next(100) < (step < 150 ? 70 : 30))
                {
                    var added = (Tag: tags[random.Next(tags.Length)], Pointer: PilePointer.FromUInt64((ulong)step << 3));
                    index.Add(added.Tag, added.Pointer, 0);
                    model.Add(added);
                }
                else
                {
                    var removed = model[random.Next(model.Count)];
                    index.RemoveAt(Positions(index, removed.Tag).Single(p => index[p].Pointer == removed.Pointer));
                    model.Remove(removed);
                }

                if (random.Next(10) == 0)
                    index.Trim();
                Check(index, model, tags, $"seed {seed}, step {step}");
            }
        }
    }

    [Fact]
    public void Index_ManyRecords_NeedsAtMostThirtyTwoBytesEach()
    {
        var (index, random) = (new StateRecordIndex(), new Random(1));
        for (ulong number = 1; number <= 100_000; number++)
        {
            index.Add((uint)random.NextInt64(), PilePointer.FromUInt64(number), 0);
            if (number > 100)
                Assert.True(index.Capacity * 16L <= (long)number * 32);
        }

        Assert.Equal(16, System.Runtime.CompilerServices.Unsafe.SizeOf<IndexSlot>());
    }

    [Fact]
    public void Trim_NothingLeft_GivesAllMemoryBack()
    {
        var index = new StateRecordIndex();
        index.Add(1, PilePointer.FromUInt64(8), 0);
        index.RemoveAt(index.FindFirst(1));
        index.Trim();
        Assert.Equal((0, 0), (index.Count, index.Capacity));
        Assert.Equal(-1, index.FindFirst(1));
    }

    private static void Check(StateRecordIndex index, List<(uint Tag, PilePointer Pointer)> model, uint[] tags, string when)
    {
        Assert.True(index.Count == model.Count, when);
        foreach (var tag in tags)
        {
            var found = Positions(index, tag).Select(p => index[p].Pointer.ToUInt64()).Order();
            var expected = model.Where(entry => entry.Tag == tag).Select(entry => entry.Pointer.ToUInt64()).Order();
            Assert.True(found.SequenceEqual(expected), when);
        }
    }

    private static List<int> Positions(StateRecordIndex index, uint tag)
    {
        var positions = new List<int>();
        for (var at = index.FindFirst(tag); at >= 0; at = index.FindNext(at))
            positions.Add(at);
        return positions;
    }
}
