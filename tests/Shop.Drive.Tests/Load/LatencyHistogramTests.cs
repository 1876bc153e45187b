using Shop.Drive.Load;

namespace Shop.Drive.Tests.Load;

public sealed class LatencyHistogramTests
{
    private const int Seed = 4711;

    [Theory]
    [InlineData(0)]
    [InlineData(31)]
    [InlineData(32)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(1_000)]
    [InlineData(123_456_789)]
    [InlineData(LatencyHistogram.MicrosecondsMax)]
    public void BucketOf_AnyValue_CoversItWithinThreePercent(long microseconds)
    {
        var bucket = LatencyHistogram.BucketOf(microseconds);
        var upper = LatencyHistogram.UpperMicrosecondsOf(bucket);

        Assert.InRange(bucket, 0, LatencyHistogram.BucketCount - 1);
        Assert.InRange(upper, microseconds, microseconds + microseconds / 32 + 1);
        Assert.True(bucket == 0 || LatencyHistogram.UpperMicrosecondsOf(bucket - 1) < microseconds, "buckets overlap");
    }

    [Fact]
    public void BucketOf_RisingValues_NeverFalls()
    {
        var last = 0;
        for (var value = 0L; value < 100_000; value++)
        {
            var bucket = LatencyHistogram.BucketOf(value);
            Assert.InRange(bucket, last, last + 1);
            last = bucket;
        }
    }

    [Fact]
    public void Percentile_RandomDurations_IsCloseToTheSortedOne()
    {
        var random = new Random(Seed);
        var histogram = new LatencyHistogram();
        var values = new List<double>();
        for (var index = 0; index < 10_000; index++)
        {
            var microseconds = Math.Floor(Math.Exp(random.NextDouble() * 14));
            values.Add(microseconds);
            histogram.Record(TimeSpan.FromMicroseconds(microseconds));
        }

        values.Sort();
        var snapshot = histogram.TakeSnapshot();
        Assert.Equal(10_000, snapshot.Count);
        foreach (var part in new[] { 0.01, 0.5, 0.9, 0.99, 1.0 })
        {
            var exact = values[(int)Math.Ceiling(part * values.Count) - 1];
            var measured = snapshot.Percentile(part).TotalMicroseconds;
            Assert.InRange(measured, exact, exact * 1.04 + 1);
        }
    }

    [Fact]
    public void Percentile_NothingCounted_IsZero() =>
        Assert.Equal(TimeSpan.Zero, new LatencyHistogram().TakeSnapshot().Percentile(0.99));

    [Fact]
    public void Record_OutOfRange_IsClamped()
    {
        var histogram = new LatencyHistogram();

        histogram.Record(TimeSpan.FromSeconds(-1));
        histogram.Record(TimeSpan.MaxValue);

        var snapshot = histogram.TakeSnapshot();
        Assert.Equal(2, snapshot.Count);
        Assert.Equal(TimeSpan.Zero, snapshot.Percentile(0.5));
        Assert.Equal(TimeSpan.FromMicroseconds(LatencyHistogram.MicrosecondsMax), snapshot.Percentile(1));
    }

    [Fact]
    public void Since_EarlierSnapshot_CountsOnlyWhatCameAfter()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(TimeSpan.FromMilliseconds(1));
        var earlier = histogram.TakeSnapshot();
        histogram.Record(TimeSpan.FromMilliseconds(100));

        var window = histogram.TakeSnapshot().Since(earlier);

        Assert.Equal(1, window.Count);
        Assert.InRange(window.Percentile(0.5).TotalMilliseconds, 100, 104);
    }

    [Fact]
    public async Task Record_FromManyThreads_LosesNothing()
    {
        var histogram = new LatencyHistogram();

        await Parallel.ForAsync(0, 8, (_, _) =>
        {
            for (var index = 0; index < 10_000; index++)
                histogram.Record(TimeSpan.FromMicroseconds(index % 7));

            return ValueTask.CompletedTask;
        });

        Assert.Equal(80_000, histogram.TakeSnapshot().Count);
    }
}
