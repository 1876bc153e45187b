using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Stores;

/// <summary>What a node asks of the store.</summary>
internal enum StoreRequestKind : byte
{
    Read,
    Swap,
    HoldCoordinator,
    ReleaseCoordinator,
    Beat,
}

/// <summary>One request on its way to the store. Immutable.</summary>
internal sealed record StoreRequest(StoreRequestKind Kind, SimulatedNode Node, NodeId Life)
{
    public long Number { get; init; }

    /// <summary>A read must be answered with the newest table; a swap needs the role of the coordinator.</summary>
    public bool IsStrict { get; init; }

    public ClusterTable? Successor { get; init; }

    /// <summary>Whether the proposer has been answered before the request reached the store.</summary>
    public bool IsLate { get; init; }
}
