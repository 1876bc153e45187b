using Cluster.Nodes.Configuration;
using Cluster.Nodes.Deltas;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Members;
using Cluster.Nodes.Routing;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;

namespace Cluster.Nodes.Lifecycle;

/// <summary>The objects that a <see cref="ClusterNode"/> starts, ends and asks. Immutable.</summary>
internal sealed record NodeDependencies(
    ClusterSettings Settings, NodeIdentity Self, IClusterStore Store, ConfirmedTable Table)
{
    public required ClusterComposition Composition { get; init; }

    public required PeerTrust Trust { get; init; }

    public required NodePorts Ports { get; init; }

    public required ClusterEntrance Entrance { get; init; }

    public required RecentTables Tables { get; init; }

    public required StateRouting Routing { get; init; }

    public required MemberRoleFactory Roles { get; init; }

    public required CurrentMemberRole Role { get; init; }

    public required ReplicaMetrics Metrics { get; init; }

    public required FormerLives FormerLives { get; init; }

    public required Expulsion Expulsion { get; init; }

    public required NodeDrain Drain { get; init; }

    public required ProcessExit Exit { get; init; }

    public required LoopContext Loops { get; init; }

    public TimeProvider Time => Loops.Time;
}
