namespace Cluster.Testing.Simulation;

/// <summary>One event of a simulated run: what happens, and whom it reaches. The numbers enter the hash of the
/// run.</summary>
/// <param name="Target">The part of the run that handles the event.</param>
/// <param name="Kind">The target's number for what happens.</param>
/// <param name="Subject">The node, client or link that the event is about.</param>
/// <param name="Argument">A number of the target's own.</param>
/// <param name="Content">An object of the target's own, which does not enter the hash.</param>
public readonly record struct SimulatedEvent(
    ISimulatedTarget Target, SimulatedEventKind Kind, int Subject, long Argument = 0, object? Content = null);

/// <summary>A part of a simulated run that schedules events for itself.</summary>
public interface ISimulatedTarget
{
    /// <summary>Called when the time of an event has come.</summary>
    /// <param name="occurrence">The event.</param>
    void Handle(in SimulatedEvent occurrence);
}
