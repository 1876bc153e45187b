using Cluster.Testing.Simulation.Network;
using Cluster.Testing.Simulation.Stores;

namespace Cluster.Testing.Simulation.Nodes;

/// <summary>What a node program is called for.</summary>
internal enum NodeCallKind : byte
{
    Start,
    Tick,
    Message,
    TableRead,
    TableChanged,
    SwapEnded,
    Coordinator,
    Death,
    Drain,
}

/// <summary>One call of a node program, which waits while the node is paused. Immutable.</summary>
internal readonly record struct NodeCall(NodeCallKind Kind)
{
    public SimulatedMessage Message { get; init; }

    public object? Content { get; init; }

    public long Version { get; init; }

    public Guid Nonce { get; init; }

    public StoreSwapOutcome Outcome { get; init; }
}
