namespace Cluster.Benchmarks.Harness;

/// <summary>
/// The command line: <c>&lt;area&gt; [--quick]</c>. Runs the area under a watchdog and prints one JSON line per row,
/// also for rows that the area did not reach. Stateless.
/// </summary>
public static class BenchmarkProgram
{
    // The promise is 55 s after the build; starting the runtime and the watchdog's own lines need the rest.
    private static readonly TimeSpan QuickBudget = TimeSpan.FromSeconds(48);
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
        var names = arguments.Where(argument => !argument.StartsWith("--", StringComparison.Ordinal)).ToArray();
        var options = arguments.Except(names).ToArray();
        if (names.Length != 1 || !table.Areas.Contains(names[0]) || options.Any(option => option != "--quick"))
        {
            problems.WriteLine($"usage: <area> [--quick], where <area> is one of: {string.Join(", ", table.Areas)}");
            return 2;
        }

        var mode = options.Length > 0 ? BenchmarkMode.Quick : BenchmarkMode.Full;
        var budget = mode == BenchmarkMode.Quick ? QuickBudget : FullBudget;
        var run = new BenchmarkRun(table.RowsOf(names[0]), mode, budget, output);
        var outcome = RunWatched(FindArea(names[0]), run, problems);
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
