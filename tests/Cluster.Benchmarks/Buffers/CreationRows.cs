using System.Diagnostics;
using Cluster.Benchmarks.Harness;
using Cluster.Pile;
using Cluster.Pile.Memory;

namespace Cluster.Benchmarks.Buffers;

/// <summary>
/// A large buffer made again, uninitialised, out of memory that an earlier one has touched, beside a managed array,
/// whose memory the runtime takes from the system again.
/// </summary>
internal static class CreationRows
{
    private const int Rounds = 3;

    public static void Run(BenchmarkRun run)
    {
        var length = (int)(run.Size("create.1g") / sizeof(int));
        var budget = new BufferBudget("creation", NativeMemorySource.ForThisSystem, 4L << 30)
        {
            ReserveBytes = 2L << 30,
        };
        using (var first = new SafeArray<int>(budget.Heap, length, BufferFill.Uninitialized))
            first.Fill(1);
        double[] ours = [.. Enumerable.Range(0, Rounds).Select(_ => CreateSeconds(budget, length))];
        run.Report("create.1g", Race.Median(ours) * 1000);
        run.Report("create.1g.faults", Enumerable.Range(0, Rounds).Max(round => CreateAndFillFaults(budget, length)));
        var fill = Race.Median([.. Enumerable.Range(0, Rounds).Select(_ => CreateAndFillSeconds(budget, length))]);
        budget.Close();
        run.Report("create.1g.managed", fill / ManagedSeconds(length));
    }

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

    // The second array, as ours is the second buffer; the collector has given the memory of the first one back.
    private static double ManagedSeconds(int length)
    {
        var seconds = 0.0;
        for (var round = 0; round < 2; round++)
        {
            GC.Collect();
            var started = Stopwatch.GetTimestamp();
            var array = new int[length];
            array.AsSpan().Fill(length);
            seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
            GC.KeepAlive(array);
        }

        return seconds;
    }
}
