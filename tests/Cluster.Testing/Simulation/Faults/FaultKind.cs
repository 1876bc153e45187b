namespace Cluster.Testing.Simulation.Faults;

/// <summary>What can disturb a simulated run: first the faults of the network, from <see cref="StoreOutage"/> on those
/// of the store, from <see cref="Pause"/> on those of nodes. The injector relies on this order.</summary>
public enum FaultKind
{
    /// <summary>Messages take long, and some of them very long.</summary>
    Delay,

    /// <summary>Messages are lost.</summary>
    Loss,

    /// <summary>Messages arrive twice.</summary>
    Duplication,

    /// <summary>Messages overtake each other.</summary>
    Reordering,

    /// <summary>One node's messages to another node, or to all of them, are lost; the other direction works.</summary>
    OneWayCut,

    /// <summary>The links between two nodes are cut and healed once a second.</summary>
    Flapping,

    /// <summary>The nodes fall into two groups that cannot reach each other.</summary>
    Split,

    /// <summary>A node reaches no other node, no client and no store.</summary>
    Isolation,

    /// <summary>A node reaches no other node, but the clients and the store.</summary>
    PeerIsolation,

    /// <summary>Messages to a node wait, and soon nothing leaves it any more. At the end, the messages that have waited
    /// arrive one after the other.</summary>
    Stall,

    /// <summary>Half of the answers to clients are lost.</summary>
    ReplyLoss,

    /// <summary>A node reaches the other nodes and the clients, but not the store.</summary>
    StoreIsolation,

    /// <summary>Nobody reaches the store.</summary>
    StoreOutage,

    /// <summary>Most reads that need not be consistent show an old table.</summary>
    StaleReads,

    /// <summary>Many swaps of the table have an unknown outcome.</summary>
    UnknownOutcomes,

    /// <summary>Most notifications of the store are lost, and the others are late.</summary>
    SilentStore,

    /// <summary>The store shows the table of another cluster with a higher version.</summary>
    ForeignStore,

    /// <summary>A node's program stands still for a while.</summary>
    Pause,

    /// <summary>A node's program ends without a word and starts again later.</summary>
    Crash,

    /// <summary>Two nodes crash within a tenth of a second.</summary>
    DoubleCrash,

    /// <summary>All owners of a partition crash while a new node gets its copy.</summary>
    SourceCrash,

    /// <summary>The wall clock of a node jumps by up to an hour.</summary>
    WallJump,

    /// <summary>New nodes join.</summary>
    Join,

    /// <summary>The operator drains a node; it starts again later.</summary>
    Drain,

    /// <summary>The operator drains and restarts the nodes, one after the other.</summary>
    RollingRestart,

    /// <summary>All nodes crash, and start again one after the other.</summary>
    ClusterCrash,
}
