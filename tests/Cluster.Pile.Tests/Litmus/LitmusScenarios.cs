using Cluster.Pile.Tests.Mapped;

namespace Cluster.Pile.Tests.Litmus;

/// <summary>What the tests call in the woven build; gives lines of a report, the first one of counts.
/// Stateless.</summary>
internal static class LitmusScenarios
{
    private const int ProblemsMax = 5;

    /// <summary>Every change at every access of every kind of read; the change of the given name comes first.</summary>
    public static string[] Reads(int skipped, bool pairs, string first)
    {
        LitmusPoints.Skipped = (LitmusCheck)skipped;
        var interleavings = new ReadInterleavings(ProblemsMax);
        if (pairs)
            interleavings.RunPairs();
        else
            interleavings.RunAll(first);
        return [$"{interleavings.Runs:N0} interleavings", .. interleavings.Problems];
    }

    /// <summary>Deletes beside reads on threads of their own, which pause at random before any access.</summary>
    public static string[] Races(int skipped, long races, int readers)
    {
        LitmusPoints.Skipped = (LitmusCheck)skipped;
        LitmusPoints.ActionOfAll = Pauses.Next;
        using var pile = Piles.Create(16 * Piles.MiB);
        var race = new DeleteRace(pile, 64, 64, 200, 8, 1000);
        race.Run(races, readers);
        LitmusPoints.ActionOfAll = null;
        return [race.ToString(), .. race.Problems];
    }

    /// <summary>One change of a mapped pile, with a copy of its folder before each of its accesses, or of a number of
    /// them; the copies lie in numbered folders.</summary>
    public static string[] Kills(int skipped, string change, string folder, int copiesMax)
    {
        LitmusPoints.Skipped = (LitmusCheck)skipped;
        return Kill(folder, copiesMax, (place, before) =>
        {
            var points = new KillPoints(place, change);
            var accesses = points.Run(before);
            return (accesses, points.Report);
        });
    }

    /// <summary>The same for a change of a cell or cache entry.</summary>
    public static string[] EntryKills(int skipped, string change, string folder, int copiesMax)
    {
        LitmusPoints.Skipped = (LitmusCheck)skipped;
        return Kill(folder, copiesMax, (place, before) =>
        {
            var points = new KillEntryPoints(place, change);
            var accesses = points.Run(before);
            return (accesses, points.Report);
        });
    }

    private static string[] Kill(
        string folder,
        int copiesMax,
        Func<TestFolder, Action<long>, (long Accesses, IReadOnlyList<string> Report)> run)
    {
        long accesses;
        using (var trial = new TestFolder())
            (accesses, _) = run(trial, _ => { });
        using var original = new TestFolder();
        var copies = Math.Min(accesses, copiesMax);
        var (_, report) = run(original, access =>
        {
            // Spread evenly: the first access and the last are among them.
            if (access * copies / accesses != (access - 1) * copies / accesses || access == 0)
                original.CopyAsIfKilled(new TestFolder(Path.Join(folder, $"{access}")));
        });
        return [$"{copies:N0} of {accesses:N0} accesses", .. report];
    }
}
