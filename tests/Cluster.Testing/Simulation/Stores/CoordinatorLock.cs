using Cluster.Contracts;

namespace Cluster.Testing.Simulation.Stores;

/// <summary>The role of the coordinator in a simulated store: one life holds it until it has not asked for a time to
/// live, or gives it back. Used by one thread.</summary>
internal sealed class CoordinatorLock
{
    private NodeId? _holder;
    private TimeSpan _end;

    /// <summary>How often the role passed to another life.</summary>
    public long ChangeCount { get; private set; }

    public bool IsHeldBy(NodeId life, TimeSpan now) => now < _end && _holder == life;

    /// <summary>Gives the role to a life that asks, if it has the role or nobody has it. Returns the holder.</summary>
    public NodeId Hold(NodeId life, TimeSpan now)
    {
        if (now < _end && _holder is { } holder && holder != life)
            return holder;
        if (_holder != life)
            ChangeCount++;
        _holder = life;
        _end = now + SimulatedStore.CoordinatorTimeToLive;
        return life;
    }

    public void Release(NodeId life)
    {
        if (_holder == life)
            _end = TimeSpan.Zero;
    }
}
