using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Glue;

/// <summary>Makes calls as a number of callers do, each of which waits for its answer before it calls again.
/// Stateless.</summary>
internal static class CallLoad
{
    private static readonly TimeSpan Burst = TimeSpan.FromMilliseconds(100);

    // Measured: a client and three nodes that make one kind of call alone reach their full rate after six seconds.
    private static readonly TimeSpan QuickWarmUp = TimeSpan.FromSeconds(12);
    private static readonly TimeSpan FullWarmUp = TimeSpan.FromSeconds(30);

    /// <summary>A number of calls by a number of callers, as a side of a race.</summary>
    /// <param name="name">Its name in the race.</param>
    /// <param name="callers">How many call at once.</param>
    /// <param name="call">One call.</param>
    public static Contender Callers<T>(string name, int callers, Func<ValueTask<T>> call) =>
        Contender.Async(name, count => RunAsync(callers, count, call));

    /// <summary>Makes a number of calls by a number of callers.</summary>
    /// <param name="callers">How many call at once.</param>
    /// <param name="count">How many calls they make together.</param>
    /// <param name="call">One call.</param>
    public static Task RunAsync<T>(int callers, int count, Func<ValueTask<T>> call) =>
        CallerTurns.RunAsync(callers, count, _ => call());

    /// <summary>Makes calls in bursts for as long as it takes to compile what several processes run, but at most for a
    /// third of what is left of a quick run.</summary>
    /// <param name="run">Quick or full.</param>
    /// <param name="kinds">The kinds of calls, which take turns.</param>
    public static void WarmUp(BenchmarkRun run, IEnumerable<Contender> kinds) => WarmUp(
        !run.IsQuick ? FullWarmUp : run.Remaining / 3 < QuickWarmUp ? run.Remaining / 3 : QuickWarmUp,
        [.. kinds.Select(static kind => (Func<int, Task>)(count => Task.Run(() => kind.Body(count))))]);

    /// <summary>Makes calls in bursts for a while. Two processes that take all of both cores leave the compiler little:
    /// a process that has just started makes a third of the calls that it makes five seconds later.</summary>
    /// <param name="time">For how long.</param>
    /// <param name="calls">Makes the number of calls; the kinds take turns.</param>
    public static void WarmUp(TimeSpan time, params ReadOnlySpan<Func<int, Task>> calls)
    {
        var started = Stopwatch.GetTimestamp();
        var counts = new int[calls.Length];
        Array.Fill(counts, 64);
        for (var turn = 0; Stopwatch.GetElapsedTime(started) < time; turn = (turn + 1) % calls.Length)
        {
            var began = Stopwatch.GetTimestamp();
            calls[turn](counts[turn]).GetAwaiter().GetResult();
            var bursts = Stopwatch.GetElapsedTime(began) / Burst;
            counts[turn] = (int)Math.Clamp(counts[turn] / Math.Max(bursts, 0.25), 64, 1_000_000);
            // The compiler gets its turn.
            Task.Delay(TimeSpan.FromMilliseconds(1), TimeProvider.System).GetAwaiter().GetResult();
        }
    }
}
