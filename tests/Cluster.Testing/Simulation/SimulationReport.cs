using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Faults;

namespace Cluster.Testing.Simulation;

/// <summary>The result of one simulated run. Immutable.</summary>
/// <param name="Seed">The seed; with the same program it gives the same report.</param>
/// <param name="Cluster">The run after its end, for questions that the report does not answer.</param>
/// <param name="Plan">The faults that were planned.</param>
public sealed record SimulationReport(ulong Seed, SimulatedCluster Cluster, FaultPlan Plan)
{
    /// <summary>The events that were handled.</summary>
    public long Events { get; } = Cluster.World.EventCount;

    /// <summary>The simulated time.</summary>
    public TimeSpan Duration { get; } = Cluster.World.Now;

    /// <summary>The hash over all events.</summary>
    public ulong Hash { get; } = Cluster.World.Hash;

    /// <summary>The operations that the clients began.</summary>
    public int OperationCount { get; } = Cluster.Operations.Count;

    /// <summary>The operations that were answered.</summary>
    public int DoneCount { get; } = Cluster.Operations.Count(each => each.Outcome == ClientOutcome.Done);

    /// <summary>The faults that began.</summary>
    public int FaultCount { get; } = Cluster.Faults.BegunCount;

    /// <summary>The promises that were broken.</summary>
    public ImmutableArray<SimulationViolation> Violations { get; } = [.. Cluster.World.Violations];

    /// <inheritdoc />
    public override string ToString()
    {
        var text = string.Create(
            CultureInfo.InvariantCulture,
            $"seed {Seed}: {Events:N0} events in {Duration.TotalSeconds:F1} s, {DoneCount} of {OperationCount} "
                + $"operations answered, {FaultCount} faults ({Plan}), {Cluster.Settings}, hash {Hash:x16}");
        return text + string.Concat(Violations.Select(violation => $"\n  {violation}"));
    }
}
