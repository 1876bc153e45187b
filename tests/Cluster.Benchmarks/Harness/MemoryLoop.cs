using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Cluster.Benchmarks.Harness;

/// <summary>
/// The yardstick for absolute figures that wait for memory: a walk along a random ring of cache lines in 128 MiB, each step
/// of which needs the line that the one before has named. The ring is made at first use. Used by one thread.
/// </summary>
public static class MemoryLoop
{
    /// <summary>
    /// Nanoseconds a step takes where a step of <see cref="ReferenceLoop"/> takes <see cref="ReferenceLoop.StepNanoseconds"/>,
    /// the median of a quiet machine of the designs' kind.
    /// </summary>
    public const double StepNanoseconds = 110;

    private const int LineInts = 64 / sizeof(int);
    private const int LineCount = 128 * 1024 * 1024 / 64;
    private const int StepCount = 1_000_000;
    private const int Seed = 5;

    private static readonly Lazy<int[]> Ring = new(MakeRing);

    private static int _at;

    /// <summary>How many times slower a step is here and now than on the machine of the designs.</summary>
    public static double MeasureScale()
    {
        var ring = Ring.Value;
        var started = Stopwatch.GetTimestamp();
        _at = Walk(ring, _at);
        return Stopwatch.GetElapsedTime(started).TotalNanoseconds / StepCount / StepNanoseconds;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static int Walk(int[] ring, int at)
    {
        for (var step = 0; step < StepCount; step++)
            at = ring[at];
        return at;
    }

    // Sattolo's shuffle gives one ring through all lines, so no walk is caught in a short one that fits into a cache.
    private static int[] MakeRing()
    {
        var order = new int[LineCount];
        for (var line = 0; line < LineCount; line++)
            order[line] = line;
        var random = new Random(Seed);
        for (var line = LineCount - 1; line > 0; line--)
        {
            var other = random.Next(line);
            (order[line], order[other]) = (order[other], order[line]);
        }

        var ring = GC.AllocateUninitializedArray<int>(LineCount * LineInts);
        for (var line = 0; line < LineCount; line++)
            ring[line * LineInts] = order[line] * LineInts;
        return ring;
    }
}
