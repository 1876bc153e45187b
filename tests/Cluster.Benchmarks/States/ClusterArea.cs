using Cluster.Benchmarks.Harness;
using Cluster.Benchmarks.Rivals;
using Cluster.Testing.Simulation;
using Cluster.Testing.Simulation.Core;

namespace Cluster.Benchmarks.States;

/// <summary>The area <c>cluster</c>: the replicated core in one process, and the tools that judge it.</summary>
internal sealed class ClusterArea : IBenchmarkArea
{
    private const int Threads = 2;

    // The runs that it takes until most of the simulator's code has been compiled twice.
    private const int WarmUpSeeds = 100;

    /// <inheritdoc/>
    public string Name => "cluster";

    /// <inheritdoc/>
    public void Run(BenchmarkRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        if (run.Wants("apply.put", "apply.put.backup", "apply.touch.1m", "record.read", "route", "apply.put.mapped",
            "record.read.mapped"))
            ApplyRows.Run(run);
        if (run.Wants(StateRows.Names))
            StateRows.Run(run);
        if (run.Wants("checker.200k"))
            CheckerRow.Run(run);
        if (run.Wants("simulator.events", "simulator.seeds"))
            RunSimulator(run);
        // Last, because it gets what the others have left of the time.
        if (run.Wants(RivalRows.Names))
            RivalRows.Run(run);
    }

    private static void RunSimulator(BenchmarkRun run)
    {
        var runner = new SimulationRunner(CoreSimulation.Setup());
        runner.RunMany(first: 1, WarmUpSeeds, Threads);
        var totals = runner.RunMany(first: 1, (int)run.Size("simulator.events"), Threads);
        if (totals.FailureCount > 0)
            throw new InvalidOperationException($"The simulator has found a broken promise: {totals}");
        run.Report("simulator.events", totals.Events / totals.Elapsed.TotalSeconds / 1e6);
        run.Report("simulator.seeds", totals.RunCount / totals.Elapsed.TotalSeconds * 60);
    }
}
