using Cluster.Testing.Simulation.Faults;
using Cluster.Testing.Simulation.Invariants;
using Cluster.Testing.Simulation.Network;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation;

/// <summary>What a runner runs: the node program, the invariants, and how settings and faults are drawn. Immutable; used
/// by several threads.</summary>
/// <param name="NewPrograms">Makes, for each run, the function that makes the program of each life. What the programs
/// of one run share, such as disks, belongs to that function.</param>
public sealed record SimulationSetup(Func<Func<SimulatedHost, INodeProgram>> NewPrograms)
{
    /// <summary>Draws the size and the modes of a run.</summary>
    public Func<SimulationRandom, SimulationSettings> Settings { get; init; } = SimulationSettings.Draw;

    /// <summary>Draws the faults of a run.</summary>
    public Func<SimulationRandom, FaultPlan> Faults { get; init; } = FaultPlan.Draw;

    /// <summary>Makes the invariants of a run.</summary>
    public Func<IEnumerable<IInvariant>> Invariants { get; init; } = StandardInvariants;

    /// <summary>Describes messages in the trace. Where it is null or returns null, the trace shows the text of the
    /// content or the number of bytes.</summary>
    public Func<SimulatedMessage, string?>? Describe { get; init; }

    /// <summary>Whether the lines of the trace are kept; they cost far more than the events.</summary>
    public bool IsTraced { get; init; }

    /// <summary>Makes the invariants that need nothing but what the simulator itself sees.</summary>
    public static IEnumerable<IInvariant> StandardInvariants() =>
    [
        new TableInvariant(), new AppliedTableInvariant(), new StoreWriteInvariant(), new DrainInvariant(),
        new ReplicationInvariant(), new ServiceInvariant(), new RegisterHistoryInvariant(), new ListHistoryInvariant(),
    ];
}
