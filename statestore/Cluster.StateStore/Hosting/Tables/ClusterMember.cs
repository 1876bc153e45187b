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

    /// <summary>The numbers of backups that the states of the node have. The cluster has a set of partitions for each
    /// of them.</summary>
    public EquatableArray<byte> WantedBackups { get; init; }

    /// <summary>The highest version of the protocol between nodes that the node speaks.</summary>
    internal int Protocol { get; init; } = ProtocolVersion.First;

    /// <summary>Whether the node saves snapshots of its partitions, from which lost ones can be restored.</summary>
    internal bool KeepsSnapshots { get; init; }

    /// <summary>Whether the node has states with a number of backups.</summary>
    internal bool Wants(int backups) => WantedBackups.Items.Contains((byte)backups);

    /// <summary>The form of <see cref="WantedBackups"/> in messages and in the store: one bit for each
    /// number.</summary>
    internal byte WantedBits
    {
        get => (byte)WantedBackups.Items.Sum(static backups => 1 << backups);
        init => WantedBackups = new(
        [
            .. Enumerable.Range(0, 8)
                .Where(backups => (value & (1 << backups)) != 0)
                .Select(backups => (byte)backups),
        ]);
    }
}
