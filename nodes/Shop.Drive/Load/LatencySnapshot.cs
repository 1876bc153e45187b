namespace Shop.Drive.Load;

/// <summary>The counts of a <see cref="LatencyHistogram"/> at one moment. Frozen.</summary>
internal sealed class LatencySnapshot(long[] counts)
{
    private readonly long[] _counts = counts;

    public static LatencySnapshot Empty { get; } = new(new long[LatencyHistogram.BucketCount]);

    public long Count { get; } = counts.Sum();

    /// <summary>The counts since an earlier snapshot of the same histogram.</summary>
    public LatencySnapshot Since(LatencySnapshot earlier) =>
        new([.. _counts.Zip(earlier._counts, static (now, then) => now - then)]);

    /// <summary>The duration that the given part of all durations does not exceed; zero if there are none.</summary>
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
