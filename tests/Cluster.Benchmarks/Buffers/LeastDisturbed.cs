using System.Diagnostics;

namespace Cluster.Benchmarks.Buffers;

/// <summary>
/// Times single calls in turn and takes the fastest of each contender: what is measured here waits for memory, so that
/// other work on the machine, which comes and goes, disturbs medians by a factor of four. Stateless.
/// </summary>
internal static class LeastDisturbed
{
    private const int RoundsMin = 10;

    /// <summary>The rate of ours over that of the fastest rival.</summary>
    public static double RateRatio(TimeSpan budget, Action ours, params ReadOnlySpan<Action> rivals)
    {
        Action[] contenders = [ours, .. rivals];
        var least = new double[contenders.Length];
        Array.Fill(least, double.MaxValue);
        var started = Stopwatch.GetTimestamp();
        for (var round = 0; round < RoundsMin || Stopwatch.GetElapsedTime(started) < budget; round++)
        {
            for (var turn = 0; turn < contenders.Length; turn++)
            {
                var index = (turn + round) % contenders.Length;

                // The first call brings the contender's own memory back into the caches.
                contenders[index]();
                var callStarted = Stopwatch.GetTimestamp();
                contenders[index]();
                least[index] = Math.Min(least[index], Stopwatch.GetElapsedTime(callStarted).TotalSeconds);
            }
        }

        return least.AsSpan(1).ToArray().Min() / least[0];
    }
}
