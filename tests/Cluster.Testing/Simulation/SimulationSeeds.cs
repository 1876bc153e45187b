namespace Cluster.Testing.Simulation;

/// <summary>The seeds of a run that scripts start: the environment chooses them, so that a test run with the settings
/// file <c>tests/simulation.runsettings</c> can repeat one seed with its trace or try a million. Immutable.</summary>
/// <param name="First">The first seed: <c>CLUSTER_SIMULATION_SEED</c>.</param>
/// <param name="Count">The number of seeds: <c>CLUSTER_SIMULATION_SEEDS</c>.</param>
/// <param name="Threads">The runs at the same time: <c>CLUSTER_SIMULATION_THREADS</c>.</param>
/// <param name="TraceFile">The file for the trace of the first seed: <c>CLUSTER_SIMULATION_TRACE</c>; null: no
/// trace.</param>
public sealed record SimulationSeeds(ulong First, int Count, int Threads, string? TraceFile)
{
    private const int ThreadsDefault = 2;

    /// <summary>Reads the environment.</summary>
    /// <param name="count">The number of seeds where the environment names none.</param>
    public static SimulationSeeds FromEnvironment(int count) => new(
        ulong.Parse(Setting("SEED") ?? "1", CultureInfo.InvariantCulture),
        Setting("SEEDS") is { } seeds ? int.Parse(seeds, CultureInfo.InvariantCulture) : count,
        Setting("THREADS") is { } threads ? int.Parse(threads, CultureInfo.InvariantCulture) : ThreadsDefault,
        Setting("TRACE"));

    /// <summary>Runs the seeds.</summary>
    /// <param name="setup">What is run.</param>
    public SimulationTotals Run(SimulationSetup setup)
    {
        ArgumentNullException.ThrowIfNull(setup);
        if (TraceFile is not null)
        {
            var report = new SimulationRunner(setup with { IsTraced = true }).Run(First);
            File.WriteAllLines(TraceFile, [.. report.Cluster.World.Trace.Lines, report.ToString()]);
        }

        return new SimulationRunner(setup).RunMany(First, Count, Threads);
    }

    private static string? Setting(string name) =>
        Environment.GetEnvironmentVariable($"CLUSTER_SIMULATION_{name}") is { Length: > 0 } text ? text : null;
}
