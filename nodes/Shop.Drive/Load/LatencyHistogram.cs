namespace Shop.Drive.Load;

/// <summary>Counts durations in log-linear buckets: 32 per power of two microseconds, so that a percentile is at most
/// about 3 % too high. Counting is one atomic addition; any number of threads may count while others take
/// snapshots.</summary>
internal sealed class LatencyHistogram
{
    // A value v with highest set bit b > 5 falls into bucket (b - 5) * 32 + (v >> (b - 5)); smaller values are exact.
    public const int BucketCount = (MagnitudeMax - SubBucketBits + 1) * SubBucketCount + SubBucketCount;
    public const long MicrosecondsMax = (1L << (MagnitudeMax + 1)) - 1;
    private const int SubBucketBits = 5;
    private const int SubBucketCount = 1 << SubBucketBits;
    private const int MagnitudeMax = 35;

    private readonly long[] _counts = new long[BucketCount];

    public void Record(TimeSpan duration) => Interlocked.Increment(ref _counts[BucketOf(ToMicroseconds(duration))]);

    public LatencySnapshot TakeSnapshot()
    {
        var counts = new long[BucketCount];
        for (var index = 0; index < counts.Length; index++)
            counts[index] = Volatile.Read(ref _counts[index]);

        return new LatencySnapshot(counts);
    }

    public static int BucketOf(long microseconds)
    {
        Debug.Assert(microseconds is >= 0 and <= MicrosecondsMax, "Durations are clamped before they are counted.");
        var shift = Math.Max(0, BitOperations.Log2((ulong)microseconds | 1) - SubBucketBits);
        return shift * SubBucketCount + (int)(microseconds >> shift);
    }

    /// <summary>The largest duration that falls into a bucket.</summary>
    public static long UpperMicrosecondsOf(int bucket)
    {
        var shift = Math.Max(0, bucket / SubBucketCount - 1);
        var lead = bucket - shift * SubBucketCount;
        return ((lead + 1L) << shift) - 1;
    }

    private static long ToMicroseconds(TimeSpan duration) =>
        Math.Clamp(duration.Ticks / TimeSpan.TicksPerMicrosecond, 0, MicrosecondsMax);
}
