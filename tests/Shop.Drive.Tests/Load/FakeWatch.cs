using Cluster.Contracts;
using Shop.Drive.Load;

namespace Shop.Drive.Tests.Load;

/// <summary>A cluster of one node. A test sets the node's death and its losses. Thread-safe.</summary>
internal sealed class FakeWatch : IClusterWatch
{
    private int _lossCount;
    private long _lastDeath = long.MinValue;

    public NodeId Owner { get; } = NodeId.NewIncarnation("n1");

    public ConcurrentBag<NodeId> Dead { get; } = [];

    public int LossCount
    {
        get => Volatile.Read(ref _lossCount);
        set => Volatile.Write(ref _lossCount, value);
    }

    public long LastDeath
    {
        get => Volatile.Read(ref _lastDeath);
        set => Volatile.Write(ref _lastDeath, value);
    }

    public long LastPause { get; set; } = long.MinValue;

    public SessionPlace PlaceOf(string session) => new(Owner, LossCount);

    public bool IsDead(NodeId node) => Dead.Contains(node);

    public bool HasDeathSince(long timestamp) => LastDeath >= timestamp;

    public bool HasPauseSince(long timestamp) => LastPause >= timestamp;
}
