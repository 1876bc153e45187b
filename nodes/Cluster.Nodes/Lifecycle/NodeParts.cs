using Cluster.Nodes.Configuration;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Routing;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Client;

namespace Cluster.Nodes.Lifecycle;

/// <summary>The partners of a <see cref="ClusterNode"/>. Immutable.</summary>
internal sealed record NodeParts(ClusterSettings Settings, NodeIdentity Self, IClusterStore Store, TableView View)
{
    internal required ClusterComposition Composition { get; init; }

    internal required PeerTrust Trust { get; init; }

    internal required NodePorts Ports { get; init; }

    internal required ClusterEntrance Entrance { get; init; }

    internal required StateRouting Routing { get; init; }

    internal required MemberDutiesFactory Duties { get; init; }

    internal required MemberDutiesHolder Holder { get; init; }

    internal required ClockCheck Clock { get; init; }

    internal required Membership Membership { get; init; }

    internal required Expulsion Expulsion { get; init; }

    internal required NodeDrain Drain { get; init; }

    internal required ProcessExit Exit { get; init; }

    internal required LoopSurroundings Surroundings { get; init; }

    internal TimeProvider Time => Surroundings.Time;
}
