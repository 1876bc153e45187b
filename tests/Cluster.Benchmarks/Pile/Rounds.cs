using System.Diagnostics;
using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Pile;

/// <summary>
/// Times work that needs untimed preparation between rounds, which <see cref="Race"/> does not offer: the contenders
/// take turns, the median over the rounds counts, the first round warms up. Stateless.
/// </summary>
internal static class Rounds
{
    private const int Count = 5;

    /// <summary>Median seconds of each contender; each prepares and then gives the work to be timed.</summary>
    public static double[] MedianSeconds(params ReadOnlySpan<Func<Action>> contenders)
    {
        var seconds = new double[contenders.Length][];
        for (var index = 0; index < contenders.Length; index++)
            seconds[index] = new double[Count];
        for (var round = -1; round < Count; round++)
        {
            for (var index = 0; index < contenders.Length; index++)
            {
                var work = contenders[index]();
                var started = Stopwatch.GetTimestamp();
                work();
                if (round >= 0)
                    seconds[index][round] = Stopwatch.GetElapsedTime(started).TotalSeconds;
            }
        }

        return [.. seconds.Select(Race.Median)];
    }
}
