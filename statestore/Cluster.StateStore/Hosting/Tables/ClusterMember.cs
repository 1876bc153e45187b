namespace Cluster.StateStore.Hosting.Tables;

/// <summary>One node as the cluster table lists it. Immutable; a change makes a new table.</summary>
/// <param name="Slot">Its short number in this table.</param>
/// <param name="Node">Name and incarnation.</param>
/// <param name="Address">Where its services listen, such as <c>http://127.0.0.1:5101</c>.</param>
/// <param name="LivenessAddress">Host and port of its liveness endpoint, which refuses connections only once the
/// process is gone.</param>
/// <param name="Services">The full names of the service contracts it offers.</param>
/// <param name="State">How far it is in its life.</param>
public sealed record ClusterMember(
    NodeSlot Slot,
    NodeId Node,
    string Address,
    string LivenessAddress,
    EquatableArray<string> Services,
    MemberState State)
{
    /// <summary>Where it listens for other nodes alone, or null: they reach it at <see cref="Address"/>.</summary>
    public string? PeerAddress { get; init; }
}
