using Cluster.Buffers.Arithmetic;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Buffers.Tests.Extents;

/// <summary>Acceptance case 20: a large block that grows in every step is made and freed, while a small one of every
/// step is kept. Freed memory is used again, so time and memory are those of one large block.</summary>
[Collection(nameof(RunsAlone))]
[Trait("Case", "pile-20")]
public sealed class FragmentationTests(ITestOutputHelper output)
{
    private const long MiB = Budgets.MiB;
    private const int LargeFirst = 64 << 20;
    private const int LargeGrowth = 1 << 20;
    private const int SmallLength = 90_000;
    private const int Steps = 100;
    private const int MeasureEvery = 10;

    private readonly ITestOutputHelper _output = output;

    [Fact]
    public void Untouched_AllSteps_TakeNoMemory()
    {
        var grown = Run(LargeFirst, touched: false);
        Assert.InRange(grown, 0, 72 * MiB);
    }

    // A sixteenth of the size in every step, so 6 % of the bytes.
    [Fact]
    public void Touched_ASixteenthOfTheSize_TakesTheMemoryOfOneLargeBlock()
    {
        var grown = Run(LargeFirst / 16, touched: true);
        Assert.InRange(grown, 0, Peak(LargeFirst / 16));
    }

    [Fact]
    [Trait("Category", "Soak")]
    public void Touched_AllSteps_TakeTheMemoryOfOneLargeBlock()
    {
        var grown = Run(LargeFirst, touched: true);
        Assert.InRange(grown, 0, Peak(LargeFirst));
    }

    [Theory]
    [InlineData(10_000_000)]
    [InlineData(100_003)]
    public void CreateAndFill_EveryElement_IsThere(int length)
    {
        var budget = Budgets.Create(256 * MiB);
        for (var round = 1UL; round <= 3; round++)
        {
            using var array = new SafeArray<ulong>(budget.Heap, length, BufferFill.Uninitialized);
            foreach (var chunk in array.Chunks())
                chunk.Fill(round);
            for (var i = 0; i < length; i++)
                array[i] *= 3;
            Assert.False(array.AsSpan().ContainsAnyExcept(round * 3));
        }

        Budgets.CheckEmptyAndClose(budget);
        _output.WriteLine($"3 times {length:N0} elements");
    }

    [Fact]
    public void LargeBuffer_MadeAgainUninitialized_IsTheSameMemoryWithoutPageFaults()
    {
        var budget = Budgets.Create(128 * MiB);
        budget.ReserveBytes = 64 * MiB;
        var first = new SafeArray<byte>(budget.Heap, (int)(64 * MiB), BufferFill.Uninitialized);
        first.AsSpan().Fill(1);
        first.Dispose();
        var before = Resident(budget);
        var watch = Stopwatch.StartNew();
        using (var second = new SafeArray<byte>(budget.Heap, (int)(64 * MiB), BufferFill.Uninitialized))
        {
            _output.WriteLine($"made again in {watch.Elapsed.TotalMicroseconds:F0} us");
            Assert.False(second.AsSpan().ContainsAnyExcept((byte)1));
            second.AsSpan().Fill(2);
            Assert.Equal(before, Resident(budget));
        }

        Budgets.CheckEmptyAndClose(budget);
    }

    // What all small blocks and the largest large one take, and 5 %.
    private static long Peak(int largeFirst)
    {
        var large = (largeFirst + ((Steps - 1L) * (largeFirst / (LargeFirst / LargeGrowth)))) * sizeof(int);
        return (large + ((long)Steps * SmallLength * sizeof(int))) * 105 / 100;
    }

    private static long Resident(BufferBudget budget) =>
        budget.Ranges.Sum(range => ResidentMemory.Of(range.Address, range.Length));

    private static long ResidentBeside(Stopwatch watch, BufferBudget budget)
    {
        watch.Stop();
        var bytes = Resident(budget);
        watch.Start();
        return bytes;
    }

    private long Run(int largeFirst, bool touched)
    {
        var budget = Budgets.Create(1024 * MiB);
        budget.ReserveBytes = 1024 * MiB;
        var kept = new List<SafeArray<int>>();
        var growth = largeFirst / (LargeFirst / LargeGrowth);
        var peak = 0L;
        var cpuBefore = Environment.CpuUsage.TotalTime;
        var watch = Stopwatch.StartNew();
        for (var step = 0; step < Steps; step++)
        {
            using var large = new SafeArray<int>(budget.Heap, largeFirst + (step * growth), BufferFill.Uninitialized);
            var small = new SafeArray<int>(budget.Heap, SmallLength, BufferFill.Uninitialized);
            kept.Add(small);
            if (!touched)
                continue;
            large.AsSpan().Fill(step);
            small.AsSpan().Fill(step);
            if (step % MeasureEvery == 0)
                peak = Math.Max(peak, ResidentBeside(watch, budget));
        }

        watch.Stop();
        var cpu = Environment.CpuUsage.TotalTime - cpuBefore;
        peak = Math.Max(peak, Resident(budget));
        _output.WriteLine(
            $"{Steps} steps from {largeFirst:N0} elements on, {(touched ? "touched" : "untouched")}: "
            + $"{watch.Elapsed.TotalMilliseconds:F1} ms, {cpu.TotalMilliseconds:F0} ms of processor time, "
            + $"{peak / (double)MiB:F1} MiB more resident at most");
        for (var step = 0; step < Steps; step++)
        {
            Assert.True(!touched || !kept[step].AsSpan().ContainsAnyExcept(step));
            kept[step].Dispose();
        }

        Budgets.CheckEmptyAndClose(budget);
        return peak;
    }
}
