namespace Cluster.Benchmarks.Glue;

/// <summary>Calls that come at a rate, whether the ones before have been answered or not: each is timed from when it
/// was due, so what waits behind a slow one counts. Used by one thread.</summary>
internal static class OpenLoop
{
    /// <summary>Makes calls at a rate and answers their times in microseconds, in order of size.</summary>
    /// <param name="link">What is called.</param>
    /// <param name="rate">Calls per second.</param>
    /// <param name="time">For how long.</param>
    public static double[] Run(IPeerService link, double rate, TimeSpan time)
    {
        var count = (int)(rate * time.TotalSeconds);
        var times = new double[count];
        using var answered = new CountdownEvent(count);
        var started = Stopwatch.GetTimestamp();
        var ticks = Stopwatch.Frequency / rate;
        for (var i = 0; i < count; i++)
        {
            var due = started + (long)(i * ticks);
            // A spinning thread would take the core that the other process needs.
            while (Stopwatch.GetTimestamp() < due)
                Thread.Yield();
            _ = CallAsync(link, times, i, due, answered);
        }

        answered.Wait();
        Array.Sort(times);
        return times;
    }

    private static async Task CallAsync(
        IPeerService link, double[] times, int index, long due, CountdownEvent answered)
    {
        await link.AddAsync(1, 2);
        times[index] = Stopwatch.GetElapsedTime(due).TotalMicroseconds;
        answered.Signal();
    }
}
