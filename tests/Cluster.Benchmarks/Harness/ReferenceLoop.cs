namespace Cluster.Benchmarks.Harness;

/// <summary>The yardstick for absolute figures: splitmix64 accumulated over 50 million steps, a chain of register
/// arithmetic that took 0.89 ns a step where the designs' figures were measured. Stateless.</summary>
public static class ReferenceLoop
{
    /// <summary>Nanoseconds a step took on the machine of the designs.</summary>
    public const double StepNanoseconds = 0.89;

    private const int StepCount = 50_000_000;
    private const int RoundStepCount = 2_000_000;

    private static ulong _sink;

    /// <summary>How many times slower a step is here and now than on the machine of the designs.</summary>
    public static double MeasureScale() => MeasureScale(StepCount);

    /// <summary>The same from 2 million steps, short enough to be taken beside every round of a figure.</summary>
    public static double MeasureRoundScale() => MeasureScale(RoundStepCount);

    /// <summary>The last sum, kept so that the compiler cannot drop the loop.</summary>
    public static ulong LastSum => _sink;

    private static double MeasureScale(int stepCount)
    {
        var started = Stopwatch.GetTimestamp();
        _sink = Accumulate((ulong)started, stepCount);
        return Stopwatch.GetElapsedTime(started).TotalNanoseconds / stepCount / StepNanoseconds;
    }

    // Compiled with all optimization at once: a slow first call would make the machine look slow and bounds generous.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static ulong Accumulate(ulong seed, int stepCount)
    {
        var sum = 0UL;
        var state = seed;
        for (var step = 0; step < stepCount; step++)
        {
            state += 0x9E3779B97F4A7C15UL;
            var mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9UL;
            mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBUL;
            sum += mixed ^ (mixed >> 31);
        }

        return sum;
    }
}
