namespace Cluster.Testing.Simulation;

/// <summary>Runs a setup for one seed or for many. Thread-safe.</summary>
/// <param name="setup">What is run.</param>
public sealed class SimulationRunner(SimulationSetup setup)
{
    // The clients and faults of a run end by themselves long before.
    private static readonly TimeSpan DurationMax = TimeSpan.FromSeconds(400);

    // After the last answer, backups still learn what was committed.
    private static readonly TimeSpan SettleTime = TimeSpan.FromSeconds(3);

    /// <summary>Runs one seed to its end, or to the first broken promise.</summary>
    /// <param name="seed">The seed.</param>
    public SimulationReport Run(ulong seed)
    {
        var world = new SimulatedWorld(seed);
        world.Trace.IsOn = setup.IsTraced;
        var settings = setup.Settings(world.Random.Fork());
        var plan = setup.Faults(world.Random.Fork());
        var cluster = new SimulatedCluster(world, settings, setup.NewPrograms());
        cluster.Network.Describe = setup.Describe;
        foreach (var invariant in setup.Invariants())
            cluster.Invariants.Add(invariant);
        cluster.Faults.Schedule(plan);
        world.Trace.Write(world.Now, "run", $"seed {seed}: {settings}; {plan}");
        Run(cluster);
        if (world.Violations.Count == 0)
        {
            foreach (var invariant in cluster.Invariants)
                invariant.CheckEnd(cluster);
        }

        return new SimulationReport(seed, cluster, plan);
    }

    /// <summary>Runs seeds until one of them breaks a promise, to show that a mistake is found.</summary>
    /// <param name="first">The first seed.</param>
    /// <param name="count">How many seeds at most.</param>
    /// <returns>The report of the seed, or null if every seed keeps every promise.</returns>
    public SimulationReport? FindViolation(ulong first, int count)
    {
        for (var index = 0; index < count; index++)
        {
            var report = Run(first + (ulong)index);
            if (!report.Violations.IsEmpty)
                return report;
        }

        return null;
    }

    /// <summary>Runs many seeds.</summary>
    /// <param name="first">The first seed.</param>
    /// <param name="count">How many seeds, each one more than the one before.</param>
    /// <param name="threads">How many runs are simulated at the same time.</param>
    /// <param name="cancellationToken">Ends the work after the runs that have begun.</param>
    public SimulationTotals RunMany(ulong first, int count, int threads, CancellationToken cancellationToken = default)
    {
        var totals = new SimulationTotals();
        var started = Stopwatch.GetTimestamp();
        var options = new ParallelOptions { MaxDegreeOfParallelism = threads };
        Parallel.For(0, count, options, (index, loop) =>
        {
            if (cancellationToken.IsCancellationRequested)
                loop.Stop();
            else
                totals.Add(Run(first + (ulong)index));
        });
        totals.Elapsed = Stopwatch.GetElapsedTime(started);
        return totals;
    }

    private static void Run(SimulatedCluster cluster)
    {
        RunUntil(cluster, () => IsOver(cluster));
        if (!cluster.Clients.IsEmpty)
            cluster.Clients[0].ReadAll();
        RunUntil(cluster, () => !cluster.Clients.Any(client => client.IsBusy));
        var end = cluster.World.Now + SettleTime;
        while (cluster.World.Violations.Count == 0 && cluster.Step(end))
        {
        }
    }

    private static void RunUntil(SimulatedCluster cluster, Func<bool> isOver)
    {
        while (cluster.World.Violations.Count == 0 && !isOver())
        {
            if (!cluster.Step(DurationMax))
                cluster.World.Violate("end", $"the run did not end in {DurationMax.TotalSeconds} s");
        }
    }

    private static bool IsOver(SimulatedCluster cluster)
    {
        var now = cluster.World.Now;
        var settings = cluster.Settings;
        return now >= settings.DurationMin
            && cluster.Faults.IsOver
            && now >= cluster.Faults.LastEnd + settings.QuietTime
            && !cluster.Clients.Any(client => client.IsBusy);
    }
}
