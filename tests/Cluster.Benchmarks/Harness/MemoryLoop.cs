namespace Cluster.Benchmarks.Harness;

/// <summary>The yardstick for absolute figures that wait for memory: a walk along a random ring of cache lines in 128
/// MiB, each step of which needs the line that the one before has named. The ring is made at first use. Used by one
/// thread.</summary>
public static class MemoryLoop
{
    /// <summary>Nanoseconds a step takes where a step of <see cref="ReferenceLoop"/> takes
    /// <see cref="ReferenceLoop.StepNanoseconds"/>.</summary>
    /// <remarks>Found on a quiet machine on which the reference loop had a scale of 1.38. With 110 ns as a step, this
    /// loop had scales from 1.94 to 2.1 in the area <c>pile</c> and from 1.07 to 1.6 in the area <c>cache</c>, about
    /// 1.75 in all. So a step took 110 * 1.75 = 193 ns there, and 193 / 1.38 = 140 ns at a scale of 1.</remarks>
    public const double StepNanoseconds = 140;

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
