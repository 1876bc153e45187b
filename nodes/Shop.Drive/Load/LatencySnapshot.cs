namespace Shop.Drive.Load;

/// <summary>What a <see cref="LatencyHistogram"/> had counted at one moment. Frozen.</summary>
internal sealed class LatencySnapshot(long[] counts)
{
    private readonly long[] _counts = counts;

    public static LatencySnapshot Empty { get; } = new(new long[LatencyHistogram.BucketCount]);

    /// <summary>How many durations were counted.</summary>
    public long Count { get; } = counts.Sum();

    /// <summary>What was counted since an earlier snapshot of the same histogram.</summary>
    public LatencySnapshot Since(LatencySnapshot earlier) =>
        new([.. _counts.Zip(earlier._counts, static (now, then) => now - then)]);

    /// <summary>The duration that so large a part of all durations does not exceed; zero when nothing was
    /// counted.</summary>
    /// <param name="part">From 0 to 1.</param>
    public TimeSpan Percentile(double part)
    {
        var rank = Math.Max(1, (long)Math.Ceiling(Count * part));
        var sum = 0L;
        for (var bucket = 0; bucket < _counts.Length; bucket++)
        {
            sum += _counts[bucket];
            if (sum >= rank)
                return TimeSpan.FromMicroseconds(LatencyHistogram.UpperMicrosecondsOf(bucket));
        }

        return TimeSpan.Zero;
    }
}
