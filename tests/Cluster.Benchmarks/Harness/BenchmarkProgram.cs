namespace Cluster.Benchmarks.Harness;

/// <summary>The command line: <c>&lt;area&gt; [--quick] [--rows &lt;a,b,…&gt;]</c>. Runs the area, or some of its rows,
/// under a watchdog and prints one JSON line per row, also for rows that the area did not reach. Stateless.</summary>
public static class BenchmarkProgram
{
    // The promise is 55 s after the build; starting the runtime and the watchdog's own lines need the rest.
    private static readonly TimeSpan QuickBudget = TimeSpan.FromSeconds(50);
    private static readonly TimeSpan FullBudget = TimeSpan.FromMinutes(30);

    /// <summary>Runs the program.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="output">Gets the JSON lines.</param>
    /// <param name="problems">Gets usage and failures.</param>
    /// <returns>0 when the area ran to its end, 1 when it failed or ran out of time, 2 for a wrong command
    /// line.</returns>
    public static int Run(string[] arguments, TextWriter output, TextWriter problems)
    {
        var table = BenchmarkTable.Load();
        if (!TryParse(arguments, table, out var area, out var mode, out var wanted))
        {
            problems.WriteLine(
                "usage: <area> [--quick] [--rows <row>,<row>...], rows as in docs/benchmarks.md, where <area> is one of: "
                + string.Join(", ", table.Areas));
            return 2;
        }

        var budget = mode == BenchmarkMode.Quick ? QuickBudget : FullBudget;
        var run = new BenchmarkRun(table.RowsOf(area), mode, budget, output, wanted);
        var outcome = RunWatched(FindArea(area), run, problems);
        run.Close();
        output.Flush();
        return outcome;
    }

    /// <summary>Runs an area on a thread of its own until it ends or the time is up.</summary>
    /// <param name="area">The area; <c>null</c> when nobody measures it yet.</param>
    /// <param name="run">The run.</param>
    /// <param name="problems">Gets failures.</param>
    /// <returns>0 when the area ran to its end, otherwise 1.</returns>
    public static int RunWatched(IBenchmarkArea? area, BenchmarkRun run, TextWriter problems)
    {
        if (area is null)
        {
            problems.WriteLine("Nobody measures this area yet.");
            return 1;
        }

        Exception? failure = null;
        var thread = new Thread(() => failure = Attempt(area, run)) { IsBackground = true, Name = area.Name };
        thread.Start();
        if (!thread.Join(run.Remaining))
        {
            problems.WriteLine($"Area {area.Name} ran out of time; its remaining rows were left out.");
            return 1;
        }

        if (failure is not null)
        {
            problems.WriteLine(failure);
            return 1;
        }

        return 0;
    }

    private static bool TryParse(
        string[] arguments, BenchmarkTable table, out string area, out BenchmarkMode mode, out string[] wanted)
    {
        area = arguments.Length > 0 ? arguments[0] : "";
        mode = BenchmarkMode.Full;
        wanted = [];
        if (!table.Areas.Contains(area))
            return false;
        for (var at = 1; at < arguments.Length; at++)
        {
            if (arguments[at] == "--quick")
                mode = BenchmarkMode.Quick;
            else if (arguments[at] == "--rows" && at + 1 < arguments.Length)
                wanted = arguments[++at].Split(',');
            else
                return false;
        }

        return wanted.All(table.RowsOf(area).Select(row => row.Name).Contains);
    }

    private static Exception? Attempt(IBenchmarkArea area, BenchmarkRun run)
    {
        try
        {
            area.Run(run);
            return null;
        }
        catch (Exception failure)
        {
            return failure;
        }
    }

    private static IBenchmarkArea? FindArea(string name) => typeof(BenchmarkProgram).Assembly.GetTypes()
        .Where(type => type.IsAssignableTo(typeof(IBenchmarkArea)) && type is { IsAbstract: false, IsInterface: false })
        .Select(type => (IBenchmarkArea)Activator.CreateInstance(type, nonPublic: true)!)
        .SingleOrDefault(area => area.Name == name);
}
