namespace Cluster.Pile.Tests.Litmus;

/// <summary>
/// What the tests call in the woven build; gives lines of a report, the first one of counts. Stateless.
/// </summary>
internal static class LitmusScenarios
{
    private const int ProblemsMax = 5;

    /// <summary>Every change at every access of every kind of read.</summary>
    public static string[] Reads(int skipped, bool pairs)
    {
        LitmusPoints.Skipped = (LitmusCheck)skipped;
        var interleavings = new ReadInterleavings(ProblemsMax);
        if (pairs)
            interleavings.RunPairs();
        else
            interleavings.RunAll();
        return [$"{interleavings.Runs:N0} interleavings", .. interleavings.Problems];
    }
}
