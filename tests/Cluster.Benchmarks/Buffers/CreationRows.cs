using Cluster.Benchmarks.Harness;
using Cluster.Buffers;
using Cluster.Buffers.Arithmetic;
using Cluster.Pile.Hosting;

namespace Cluster.Benchmarks.Buffers;

/// <summary>A large buffer, made and filled: in memory that an earlier one has touched, beside a pooled array, and in
/// new memory, beside a new array.</summary>
internal static class CreationRows
{
    private const int Rounds = 3;

    public static void Run(BenchmarkRun run)
    {
        var length = (int)(run.Size("create.1g") / sizeof(int));
        var budget = new BufferBudget("creation", SystemMemory.OfThisProcess, 4L << 30)
        {
            ReserveBytes = 2L << 30,
        };
        using (var first = new SafeArray<int>(budget.Heap, length, BufferFill.Uninitialized))
            first.Fill(1);
        double[] ours = [.. Enumerable.Range(0, Rounds).Select(_ => CreateSeconds(budget, length))];
        run.Report("create.1g", Race.Median(ours) * 1000);
        run.Report("create.1g.faults", Enumerable.Range(0, Rounds).Max(round => CreateAndFillFaults(budget, length)));
        var reused = MedianOf(() => CreateAndFillSeconds(budget, length));
        budget.Close();
        var pool = ArrayPool<int>.Create(length, maxArraysPerBucket: 1);
        RentAndFillSeconds(pool, length);
        run.Report("create.1g.pooled", reused / MedianOf(() => RentAndFillSeconds(pool, length)));
        run.Report("create.1g.managed", MedianOf(() => FreshSeconds(length)) / MedianOf(() => ManagedSeconds(length)));
    }

    private static double MedianOf(Func<double> seconds) =>
        Race.Median([.. Enumerable.Range(0, Rounds).Select(_ => seconds())]);

    private static double CreateSeconds(BufferBudget budget, int length)
    {
        var started = Stopwatch.GetTimestamp();
        using var array = new SafeArray<int>(budget.Heap, length, BufferFill.Uninitialized);
        return Stopwatch.GetElapsedTime(started).TotalSeconds;
    }

    private static double CreateAndFillSeconds(BufferBudget budget, int length)
    {
        var started = Stopwatch.GetTimestamp();
        using var array = new SafeArray<int>(budget.Heap, length, BufferFill.Uninitialized);
        array.Fill(length);
        return Stopwatch.GetElapsedTime(started).TotalSeconds;
    }

    private static long CreateAndFillFaults(BufferBudget budget, int length)
    {
        var before = ProcessMemory.PageFaultsOfThisThread();
        using var array = new SafeArray<int>(budget.Heap, length, BufferFill.Uninitialized);
        array.Fill(length);
        return ProcessMemory.PageFaultsOfThisThread() - before;
    }

    private static double RentAndFillSeconds(ArrayPool<int> pool, int length)
    {
        var started = Stopwatch.GetTimestamp();
        var array = pool.Rent(length);
        array.AsSpan(0, length).Fill(length);
        var seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
        pool.Return(array);
        return seconds;
    }

    // A budget of its own without a reserve: the memory comes from the system within the time.
    private static double FreshSeconds(int length)
    {
        var budget = new BufferBudget("fresh", SystemMemory.OfThisProcess, 4L << 30) { ReserveBytes = 0 };
        var seconds = CreateAndFillSeconds(budget, length);
        budget.Close();
        return seconds;
    }

    // The collector gives the memory of earlier arrays back first, so that this one comes from the system, too.
    private static double ManagedSeconds(int length)
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        var started = Stopwatch.GetTimestamp();
        var array = new int[length];
        array.AsSpan().Fill(length);
        return Stopwatch.GetElapsedTime(started).TotalSeconds;
    }
}
