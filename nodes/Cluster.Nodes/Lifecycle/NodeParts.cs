using Cluster.Nodes.Configuration;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Members;
using Cluster.Nodes.Routing;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Lifecycle;

/// <summary>The partners of a <see cref="ClusterNode"/>. Immutable.</summary>
internal sealed record NodeParts(ClusterSettings Settings, NodeIdentity Self, IClusterStore Store, TableView View)
{
    public required ClusterComposition Composition { get; init; }

    public required PeerTrust Trust { get; init; }

    public required NodePorts Ports { get; init; }

    public required ClusterEntrance Entrance { get; init; }

    public required StateRouting Routing { get; init; }

    public required MemberRoleFactory Duties { get; init; }

    public required CurrentMemberRole Holder { get; init; }

    public required ClockCheck Clock { get; init; }

    public required Membership Membership { get; init; }

    public required Expulsion Expulsion { get; init; }

    public required NodeDrain Drain { get; init; }

    public required ProcessExit Exit { get; init; }

    public required LoopSurroundings Surroundings { get; init; }

    public TimeProvider Time => Surroundings.Time;
}
