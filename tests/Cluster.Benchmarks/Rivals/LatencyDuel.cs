namespace Cluster.Benchmarks.Rivals;

/// <summary>The p50 of one caller on two sides, in rounds that take turns. Stateless.</summary>
internal static class LatencyDuel
{
    private const int RoundCount = 9;
    private const int WarmCallCount = 200;

    /// <summary>Runs the duel.</summary>
    /// <param name="time">How long it may take.</param>
    /// <param name="ours">One operation of our side.</param>
    /// <param name="rival">The same of the rival.</param>
    /// <returns>The median over the rounds of our p50 over the rival's.</returns>
    public static double Run(TimeSpan time, Func<long, Task> ours, Func<long, Task> rival)
    {
        var perSide = time / (2 * RoundCount);
        var ratios = new double[RoundCount];
        for (var round = 0; round < RoundCount; round++)
        {
            // The side that runs second finds the caches of the processors full of what the first one used, so the sides
            // take turns.
            var isOursFirst = round % 2 == 0;
            var first = MedianOf(perSide, isOursFirst ? ours : rival);
            var second = MedianOf(perSide, isOursFirst ? rival : ours);
            ratios[round] = isOursFirst ? first / second : second / first;
        }

        Array.Sort(ratios);
        return ratios[RoundCount / 2];
    }

    private static double MedianOf(TimeSpan time, Func<long, Task> call)
    {
        var times = new List<long>();
        Task.Run(async () =>
        {
            for (var number = 0; number < WarmCallCount; number++)
                await call(number);
            var started = Stopwatch.GetTimestamp();
            for (var at = started; Stopwatch.GetElapsedTime(started, at) < time;)
            {
                await call(times.Count);
                var now = Stopwatch.GetTimestamp();
                times.Add(now - at);
                at = now;
            }
        }).GetAwaiter().GetResult();
        times.Sort();
        return times[times.Count / 2];
    }
}
