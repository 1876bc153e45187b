using Cluster.Contracts.Pacing;
using Cluster.Glue;
using Cluster.Glue.Authorization;
using Cluster.Nodes.Liveness;

namespace Cluster.Nodes.Beacons;

/// <summary>The node whose beacons are sent. Immutable.</summary>
/// <param name="Self">The life of the node.</param>
/// <param name="Trust">What it proves, and asks for.</param>
/// <param name="Client">The client whose certificates are used where a liveness endpoint uses TLS.</param>
/// <param name="Jitter">Spreads the pauses between attempts to connect.</param>
internal sealed record BeaconContext(Guid Self, GluePeerIdentity Trust, GlueClient Client, Jitter Jitter)
{
    /// <summary>Where connections to liveness endpoints go instead.</summary>
    public LivenessDetour Detour { get; init; } = LivenessDetour.None;

    /// <summary>The clock by which connections grow old.</summary>
    public required TimeProvider Time { get; init; }

    /// <summary>Takes the answers to beacons.</summary>
    public required Action<ReadOnlyMemory<byte>> Deliver { get; init; }

    /// <summary>Called when something unexpected has happened.</summary>
    public required Action<Exception> Failed { get; init; }

    /// <summary>Called when a node could not be reached, or did not answer in time.</summary>
    public required Action<NodeId> Unreachable { get; init; }
}
