using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Faults;

/// <summary>Makes the faults of a plan happen in a simulated run, and counts them. Used by one thread.</summary>
public sealed class FaultInjector : ISimulatedTarget
{
    private const int CoordinatorChance = 250_000;

    private readonly SimulatedCluster _cluster;
    private readonly SimulationRandom _random;
    private readonly NetworkFaults _network;
    private readonly StoreFaults _store;
    private readonly NodeFaults _nodes;
    private readonly int[] _begun = new int[Enum.GetValues<FaultKind>().Length];
    private int _waiting;
    private int _active;

    internal FaultInjector(SimulatedCluster cluster)
    {
        _cluster = cluster;
        _random = cluster.World.Random.Fork();
        _network = new NetworkFaults(cluster, _random);
        _store = new StoreFaults(cluster);
        _nodes = new NodeFaults(cluster, _random);
    }

    /// <summary>How many faults have begun.</summary>
    public int BegunCount { get; private set; }

    /// <summary>How many faults have begun while another one lasted.</summary>
    public int OverlappingCount { get; private set; }

    /// <summary>Whether every fault has ended.</summary>
    public bool IsOver => _waiting == 0 && _active == 0;

    /// <summary>When the last fault ended, in true time.</summary>
    public TimeSpan LastEnd { get; private set; }

    /// <summary>Returns how many faults of a kind have begun.</summary>
    /// <param name="kind">The kind.</param>
    public int CountOf(FaultKind kind) => _begun[(int)kind];

    /// <summary>Schedules the faults of a plan.</summary>
    /// <param name="plan">The plan.</param>
    public void Schedule(FaultPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        foreach (var fault in plan.Faults)
        {
            _waiting++;
            Schedule(SimulatedEventKind.FaultStep, fault.Start, fault);
        }
    }

    /// <inheritdoc />
    public void Handle(in SimulatedEvent occurrence)
    {
        if (occurrence.Content is PlannedFault plan)
            Begin(new ActiveFault(plan));
        else if (occurrence.Kind == SimulatedEventKind.FaultStep)
            Step((ActiveFault)occurrence.Content!);
        else
            End((ActiveFault)occurrence.Content!);
    }

    private void Begin(ActiveFault fault)
    {
        var node = DrawVictim();
        _waiting--;
        if (_active > 0)
            OverlappingCount++;
        _active++;
        BegunCount++;
        switch (fault.Kind)
        {
            case <= FaultKind.StoreIsolation:
                _network.Begin(fault, node.Endpoint);
                break;
            case <= FaultKind.ForeignStore:
                _store.Begin(fault);
                break;
            default:
                _nodes.Begin(fault, node);
                break;
        }

        _begun[(int)fault.Kind]++;
        Trace($"{fault.Kind} begins for {fault.Plan.Duration.TotalSeconds:F1} s at {node.Name}");
        if (fault.Step is not null)
            Schedule(SimulatedEventKind.FaultStep, _cluster.World.Now + fault.FirstStepAfter, fault);
        if (!fault.EndsWithItsSteps)
            Schedule(SimulatedEventKind.FaultEnd, _cluster.World.Now + fault.Plan.Duration, fault);
    }

    private void Step(ActiveFault fault)
    {
        if (fault.HasEnded)
            return;
        if (fault.Step!() is { } after)
            Schedule(SimulatedEventKind.FaultStep, _cluster.World.Now + after, fault);
        else if (fault.EndsWithItsSteps)
            End(fault);
    }

    private void End(ActiveFault fault)
    {
        fault.End();
        _active--;
        LastEnd = _cluster.World.Now;
        Trace($"{fault.Kind} ends");
    }

    // A living node; often the coordinator, on which most depends.
    private SimulatedNode DrawVictim()
    {
        var living = _cluster.Nodes.Where(node => node.IsAlive).ToArray();
        if (living.Length == 0)
            return _cluster.Nodes[0];
        var coordinator = Array.Find(living, node => _cluster.Store.IsCoordinator(node.Node!.Value));
        return coordinator is not null && _random.Chance(CoordinatorChance) ? coordinator : _random.Pick(living);
    }

    private void Schedule(SimulatedEventKind kind, TimeSpan at, object content) =>
        _cluster.World.Schedule(at, new SimulatedEvent(this, kind, 0, 0, content));

    private void Trace(string text) => _cluster.World.Trace.Write(_cluster.World.Now, "fault", text);
}
