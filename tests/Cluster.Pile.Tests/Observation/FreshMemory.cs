using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Pile.Tests.Memory;

namespace Cluster.Pile.Tests.Observation;

/// <summary>How long the system takes to give memory that nobody has used. It differs between machines by a factor of
/// thirty: the host of a virtual machine may have to find the memory first. Stateless.</summary>
internal static class FreshMemory
{
    private const int Blocks = 64;

    /// <summary>The median for one block of a pile, in nanoseconds.</summary>
    public static long MeasureBlock()
    {
        var source = new OwnMemorySource(NativeMemorySource.ForThisSystem);
        var range = NativeRangePool.Rent(source, Blocks * BlockLayout.BlockBytes);
        var times = new double[Blocks];
        for (var block = 0; block < Blocks; block++)
        {
            var began = Stopwatch.GetTimestamp();
            Assert.True(range.TryPrepare(block * BlockLayout.BlockBytes, BlockLayout.BlockBytes));
            times[block] = Stopwatch.GetElapsedTime(began).TotalNanoseconds;
        }

        NativeRangePool.Return(range);
        Array.Sort(times);
        return (long)times[Blocks / 2];
    }
}
