namespace Cluster.Testing.Simulation.Faults;

/// <summary>A fault that has begun: how it goes on, and how its effects are taken back. Changed by the injector and the
/// part that made the fault.</summary>
/// <param name="plan">The fault of the plan.</param>
internal sealed class ActiveFault(PlannedFault plan)
{
    private readonly List<Action> _undo = [];

    public PlannedFault Plan { get; } = plan;

    /// <summary>What really happens: a crash that would leave nobody with the content becomes a pause.</summary>
    public FaultKind Kind { get; set; } = plan.Kind;

    /// <summary>The fault's next step, which returns the time to the step after it, or null after the last
    /// one.</summary>
    public Func<TimeSpan?>? Step { get; set; }

    /// <summary>The time from the begin to the first step.</summary>
    public TimeSpan FirstStepAfter { get; set; }

    /// <summary>Whether the fault ends with its last step and not after a time.</summary>
    public bool EndsWithItsSteps { get; set; }

    public bool HasEnded { get; private set; }

    /// <summary>Makes a change now and takes it back when the fault ends.</summary>
    public void Do(Action change, Action undo)
    {
        change();
        _undo.Add(undo);
    }

    public void End()
    {
        HasEnded = true;
        for (var index = _undo.Count - 1; index >= 0; index--)
            _undo[index]();
        _undo.Clear();
    }
}
