using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Observation;

/// <summary>Acceptance case 16 of the pile in short form: objects in the pile cost the garbage collector
/// nothing.</summary>
[Collection(nameof(RunsAlone))]
public sealed class GarbageCollectionTests(ITestOutputHelper output)
{
    private const int Count = 1_500_000;
    private const int AttemptsMax = 200;
    private static readonly TimeSpan PauseMargin = TimeSpan.FromMilliseconds(10);

    [Fact]
    [Trait("Case", "pile-16")]
    public void MillionObjects_LeaveManagedHeapAndPausesAsTheyWere()
    {
        using var pile = Piles.Create(256 * Piles.MiB);
        var empty = Enumerable.Range(0, 7).Min(_ => MeasurePause());
        var heap = GC.GetTotalMemory(forceFullCollection: true);
        var payload = new byte[64];
        for (var i = 0; i < Count; i++)
            pile.Put(payload);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - heap, long.MinValue, 4 * Piles.MiB);

        // A managed list of as many arrays takes some 20 ms more, every time. What a busy machine adds it does not add
        // every time, so one pause out of many must be as short as before.
        var full = TimeSpan.MaxValue;
        for (var attempt = 0; attempt < AttemptsMax && full > empty + PauseMargin; attempt++)
        {
            var pause = MeasurePause();
            full = pause < full ? pause : full;
        }

        output.WriteLine($"{Count:N0} objects: {empty.TotalMilliseconds} -> {full.TotalMilliseconds} ms");
        Assert.True(full <= empty + PauseMargin, $"{empty.TotalMilliseconds} -> {full.TotalMilliseconds} ms");
    }

    [Fact]
    public void Overhead_OfSmallObjects_IsAtMostTwelveBytesOnAverage()
    {
        var overheads = new List<double>();
        foreach (var size in (int[])[16, 32, 64, 75, 128, 314])
        {
            using var pile = Piles.Create(512 * Piles.MiB);
            for (var i = 0; i < Count / 2; i++)
                pile.Put(new byte[size].AsSpan());
            var statistics = pile.GetStatistics();
            overheads.Add((double)statistics.OverheadBytes / statistics.Objects);
        }

        Assert.InRange(overheads.Average(), 8, 12);
        Assert.All(overheads, overhead => Assert.InRange(overhead, 8, 18));
    }

    private static TimeSpan MeasurePause()
    {
        var started = Stopwatch.GetTimestamp();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true);
        return Stopwatch.GetElapsedTime(started);
    }
}
