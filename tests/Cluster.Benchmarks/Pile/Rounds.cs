using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Pile;

/// <summary>Times work that needs untimed preparation between rounds, which <see cref="Race"/> does not offer: the
/// contenders take turns, the median over the rounds counts. Rounds before them warm up, for so long that the runtime
/// has compiled the hot code a second time: code that only one row runs was timed before that otherwise.
/// Stateless.</summary>
internal static class Rounds
{
    private const int Count = 5;
    private static readonly TimeSpan WarmUp = TimeSpan.FromMilliseconds(500);

    /// <summary>Median seconds of each contender; each prepares and then gives the work to be timed.</summary>
    public static double[] MedianSeconds(params ReadOnlySpan<Func<Action>> contenders)
    {
        var begun = Stopwatch.GetTimestamp();
        do
            RunOne(contenders);
        while (Stopwatch.GetElapsedTime(begun) < WarmUp);

        var rounds = new double[Count][];
        for (var round = 0; round < Count; round++)
            rounds[round] = RunOne(contenders);
        return [.. Enumerable.Range(0, contenders.Length)
            .Select(index => Race.Median([.. rounds.Select(round => round[index])]))];
    }

    private static double[] RunOne(ReadOnlySpan<Func<Action>> contenders)
    {
        var seconds = new double[contenders.Length];
        for (var index = 0; index < contenders.Length; index++)
        {
            var work = contenders[index]();
            var started = Stopwatch.GetTimestamp();
            work();
            seconds[index] = Stopwatch.GetElapsedTime(started).TotalSeconds;
        }

        return seconds;
    }
}
