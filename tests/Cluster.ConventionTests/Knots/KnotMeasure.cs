namespace Cluster.ConventionTests.Knots;

/// <summary>Computes two figures of a project: the size of the largest cycle of its types, and the share of references
/// that point back to an earlier folder. Pure.</summary>
internal static class KnotMeasure
{
    // The search for the best order starts at random orders. The fixed seed makes each run find the same one.
    private const int Starts = 12;
    private const int Seed = 1;

    /// <summary>The types of the largest cycle. Each of them refers to each other one, directly or through
    /// others.</summary>
    public static IReadOnlyList<string> LargestCycle(ReferenceGraph graph)
    {
        var next = graph.Sites.Keys.ToLookup(site => site.From, site => site.To);
        var previous = graph.Sites.Keys.ToLookup(site => site.To, site => site.From);
        var left = graph.Folders.Keys.ToHashSet();
        IReadOnlyList<string> largest = [];
        while (left.Count > 0)
        {
            var first = left.First();
            var cycle = Reachable(first, next, left);
            cycle.IntersectWith(Reachable(first, previous, left));
            left.ExceptWith(cycle);
            if (cycle.Count > largest.Count)
                largest = [.. cycle.Order(StringComparer.Ordinal)];
        }

        return largest;
    }

    /// <summary>The share of all types that lie in the largest cycle.</summary>
    public static double CycleShare(ReferenceGraph graph) =>
        (double)LargestCycle(graph).Count / graph.Folders.Count;

    /// <summary>The order of the folders with the fewest references to an earlier folder, and the share of such
    /// references among all references between folders.</summary>
    public static (IReadOnlyList<string> Order, double Share) BackReferences(ReferenceGraph graph)
    {
        string[] folders = [.. graph.Folders.Values.Distinct().Order(StringComparer.Ordinal)];
        var index = folders.Select((folder, at) => (folder, at)).ToDictionary(pair => pair.folder, pair => pair.at);
        var sites = new int[folders.Length, folders.Length];
        var crossing = 0;
        foreach (var (site, count) in graph.Sites)
        {
            var (from, to) = (index[graph.Folders[site.From]], index[graph.Folders[site.To]]);
            if (from != to)
            {
                sites[from, to] += count;
                crossing += count;
            }
        }

        var random = new Random(Seed);
        List<int> best = [.. Enumerable.Range(0, folders.Length)];
        for (var start = 0; start < Starts; start++)
        {
            int[] order = [.. Enumerable.Range(0, folders.Length)];
            random.Shuffle(order);
            var improved = Improve([.. order], sites);
            if (Back(improved, sites) < Back(best, sites))
                best = improved;
        }

        return ([.. best.Select(at => folders[at])], crossing == 0 ? 0 : (double)Back(best, sites) / crossing);
    }

    private static HashSet<string> Reachable(string first, ILookup<string, string> next, HashSet<string> allowed)
    {
        var found = new HashSet<string> { first };
        var open = new Stack<string>(found);
        while (open.TryPop(out var type))
        {
            foreach (var to in next[type].Where(to => allowed.Contains(to) && found.Add(to)))
                open.Push(to);
        }

        return found;
    }

    // Moves one folder at a time to its best place until no move helps.
    private static List<int> Improve(List<int> order, int[,] sites)
    {
        for (var isBetter = true; isBetter;)
        {
            isBetter = false;
            foreach (var folder in order.ToArray())
            {
                var at = order.IndexOf(folder);
                var place = BestPlace(order, at, sites);
                isBetter |= place != at;
                order.RemoveAt(at);
                order.Insert(place, folder);
            }
        }

        return order;
    }

    // The first place at which the fewest references of the folder point back; its own if none is better.
    private static int BestPlace(List<int> order, int at, int[,] sites)
    {
        var folder = order[at];
        List<int> others = [.. order[..at], .. order[(at + 1)..]];
        var back = others.Sum(other => sites[other, folder]);
        var (best, bestBack, ownBack) = (0, back, back);
        for (var place = 1; place <= others.Count; place++)
        {
            // The folder moves behind one more, and refers to it back from now on.
            back += sites[folder, others[place - 1]] - sites[others[place - 1], folder];
            if (place == at)
                ownBack = back;
            if (back < bestBack)
                (best, bestBack) = (place, back);
        }

        return bestBack < ownBack ? best : at;
    }

    private static int Back(List<int> order, int[,] sites)
    {
        var back = 0;
        for (var later = 1; later < order.Count; later++)
        {
            for (var earlier = 0; earlier < later; earlier++)
                back += sites[order[later], order[earlier]];
        }

        return back;
    }
}
