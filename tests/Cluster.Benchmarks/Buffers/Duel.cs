using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Buffers;

/// <summary>Compares two sides that wait for memory. The fastest rival is found first; then ours and that one alone
/// take turns, equally often, and the fastest call of each counts. All of it is repeated over fresh memory.
/// Stateless.</summary>
/// <remarks>Where three rivals that share an array took turns with ours, the array was in the caches three times as
/// often, and an array against another array came out at 0.81 to 0.89. Where a block lies decides up to 10 % of what
/// the caches give, for either side, so one placement is not enough while blocks fit into them.</remarks>
internal static class Duel
{
    private const int HeatRoundsMin = 2;
    private const int RoundsMin = 5;
    private const int CachedPlacements = 3;
    private const long CachedBytesMax = 128L << 20;

    /// <summary>The rate of ours over that of the fastest rival, the median of all placements.</summary>
    /// <param name="budget">How long it may take without the making of the memory.</param>
    /// <param name="bytes">The size of a block, by which the number of placements is chosen.</param>
    /// <param name="place">Makes both sides anew.</param>
    public static double RateRatio(TimeSpan budget, long bytes, Func<DuelSides> place)
    {
        var ratios = new double[bytes <= CachedBytesMax ? CachedPlacements : 1];
        List<DuelSides> placed = [];
        for (var placement = 0; placement < ratios.Length; placement++)
        {
            // The earlier ones are kept meanwhile: their memory would come back as it was.
            var sides = place();
            placed.Add(sides);
            ratios[placement] = RateRatio(budget / ratios.Length, sides);
        }

        placed.ForEach(sides => sides.Dispose());
        return Race.Median(ratios);
    }

    private static double RateRatio(TimeSpan budget, DuelSides sides)
    {
        // Ours runs in the heat for the compiler only.
        var heat = TakeTurns(budget / 4, HeatRoundsMin, [sides.Ours, .. sides.Rivals]);
        var fastest = Array.IndexOf(heat, heat.Skip(1).Min(), 1) - 1;
        var least = TakeTurns(budget * 3 / 4, RoundsMin, [sides.Ours, sides.Rivals[fastest]]);
        return least[1] / least[0];
    }

    private static double[] TakeTurns(TimeSpan budget, int roundsMin, Action[] contenders)
    {
        var least = new double[contenders.Length];
        Array.Fill(least, double.MaxValue);
        var started = Stopwatch.GetTimestamp();
        for (var round = 0; round < roundsMin || Stopwatch.GetElapsedTime(started) < budget; round++)
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

        return least;
    }
}
