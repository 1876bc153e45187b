using Cluster.Glue.Authorization;
using Cluster.StateStore;

namespace Cluster.Nodes;

/// <summary>What a user says about this process's part in the cluster; bound from the configuration section
/// <c>Cluster</c>. Checked as a whole when the host starts, then copied; later changes are not seen.</summary>
public sealed class ClusterOptions
{
    /// <summary>The configuration section that is bound to these options.</summary>
    public const string SectionName = "Cluster";

    internal const string NameDefault = "cluster";
    internal const string ListenAddressDefault = "http://127.0.0.1:0";
    internal const long PileBudgetBytesDefault = 1L << 30;
    internal const int BackupsDefault = 1;

    /// <summary>The cluster's name, the same on every node. Letters, digits, '-', '_' and '.'.</summary>
    /// <value><c>cluster</c> by default.</value>
    public string Name { get; set; } = NameDefault;

    /// <summary>This node's name, unique among the nodes that run at the same time.</summary>
    /// <value>Null by default: machine name and process id.</value>
    public string? NodeName { get; set; }

    /// <summary>What part this process plays.</summary>
    /// <value><see cref="ClusterRole.Node"/> by default.</value>
    public ClusterRole Role { get; set; } = ClusterRole.Node;

    /// <summary>Where other nodes reach this one, such as <c>http://10.0.0.5:7000</c>. Port 0 takes any free
    /// port.</summary>
    /// <value><c>http://127.0.0.1:0</c> by default. Not used by clients.</value>
    public string ListenAddress { get; set; } = ListenAddressDefault;

    /// <summary>The port, on the host of <see cref="ListenAddress"/>, that refuses connections only once this process
    /// is gone.</summary>
    /// <value>0 by default: any free port. Not used by clients.</value>
    public int LivenessPort { get; set; }

    /// <summary>Where other nodes reach this one when they shall use a port of their own, such as
    /// <c>http://10.0.0.5:7100</c>: what nodes say to each other is then served there and nowhere else. Port 0 takes
    /// any free port.</summary>
    /// <value>Null by default: nodes use <see cref="ListenAddress"/>, too. Not used by clients.</value>
    public string? PeerListenAddress { get; set; }

    /// <summary>The secret that the nodes and clients of this cluster share: a process that knows it may do what a node
    /// does. At least 16 bytes, best 32 random bytes in base 64. It is never logged, never part of an exception, and
    /// never written to the cluster store.</summary>
    /// <value>Null by default: the file store makes a random one in its folder, and a cluster inside one process needs
    /// none. With a store of several machines, a node that listens beyond loopback does not start without it.</value>
    public GlueSecret? Secret { get; set; }

    /// <summary>A second secret that is accepted but never sent, so that the secret can be changed by restarting one
    /// node after the other: first with the new one here, then with both exchanged, then without this.</summary>
    /// <value>Null by default.</value>
    public GlueSecret? AlternateSecret { get; set; }

    /// <summary>Whether the file store, snapshots and the mapped folder may use a folder that belongs to another user,
    /// or that other users may write to, as some container volumes do. A user who can write there can stop the cluster,
    /// read its secret and change its values.</summary>
    /// <value>False by default: such a folder is refused. True: it is used, with a warning.</value>
    public bool AllowSharedFolder { get; set; }

    /// <summary>Whether this node may create the cluster where the store holds none. Embedded stores, in memory and
    /// file, do not ask.</summary>
    /// <value>False by default: the node waits for the cluster at most <see cref="StartTimeout"/>.</value>
    public bool Bootstrap { get; set; }

    /// <summary>How many hash partitions a new cluster gets for its states, and again for each further number of
    /// backups that its states have: a power of two, at most 16,384 together; never changes later.</summary>
    /// <value>Null by default: 1,024 for a new cluster, what it has for an existing one. Choose at least 20 times the
    /// number of nodes that are ever expected.</value>
    public int? PartitionCount { get; set; }

    /// <summary>How many nodes must be active before partitions are given to anybody for the first time.</summary>
    /// <value>1 by default.</value>
    public int InitialNodeCount { get; set; } = 1;

    /// <summary>How many other nodes keep a copy of each value, in the states that name no number themselves
    /// (<c>StateOptions.Backups</c>). A write is acknowledged when all copies have it. When a node dies, a node with a
    /// copy goes on. Where fewer nodes are active, there are fewer copies.</summary>
    /// <value>1 by default, at most 3. With 0, a value lives on one node and is lost with it. Must be the same on every
    /// node: the first one with a state decides, and a node with another number does not start. Not used by
    /// clients.</value>
    public int Backups { get; set; } = BackupsDefault;

    /// <summary>How much native memory this node's pile may take for all states, in bytes.</summary>
    /// <value>1 GiB by default. Not used by clients.</value>
    public long PileBudgetBytes { get; set; } = PileBudgetBytesDefault;

    /// <summary>When a refused liveness endpoint counts as proof of death.</summary>
    /// <value><see cref="Nodes.ProofOfDeath.Loopback"/> by default.</value>
    public ProofOfDeath ProofOfDeath { get; set; } = ProofOfDeath.Loopback;

    /// <summary>How long a start may take: the store must answer, and the cluster must exist, within this
    /// time.</summary>
    /// <value>30 seconds by default.</value>
    public TimeSpan StartTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>How long a stopping node tries to hand its partitions to others before it leaves without.</summary>
    /// <value>20 seconds by default; keep it below the host's own shutdown time-out.</value>
    public TimeSpan DrainTimeout { get; set; } = TimeSpan.FromSeconds(20);

    /// <summary>What becomes of operations of this node whose owner has not been heard for 1.5 s: it is suspected, and
    /// keeps its partitions until it is proven dead or its leases have ended.</summary>
    /// <value><see cref="StateStore.WhenSuspected.Wait"/> by default. Not used by clients, which hear nobody.</value>
    public WhenSuspected WhenSuspected { get; set; }

    /// <summary>Where this node saves snapshots of its partitions. When all nodes with copies of a partition are gone,
    /// the newest snapshot restores it; without one it begins again empty. Each node of each cluster gets a folder of
    /// its own in this one, by its <see cref="NodeName"/>, which must be set.</summary>
    /// <value>Null by default: no snapshots are saved. Not used by clients.</value>
    public string? SnapshotFolder { get; set; }

    /// <summary>The time between two snapshots of a partition that changes: as much can be lost when all nodes die at
    /// once. A cluster that is stopped in order loses nothing.</summary>
    /// <value>5 minutes by default.</value>
    public TimeSpan SnapshotInterval { get; set; } = TimeSpan.FromMinutes(5);

    /// <summary>How long a partition whose nodes are all gone stays closed for nodes that may have a snapshot of it. It
    /// ends earlier when all of them are back. Then the newest snapshot counts; nodes that come later lose
    /// theirs.</summary>
    /// <value>60 seconds by default. Nodes that save no snapshots are not waited for.</value>
    public TimeSpan RestoreTimeout { get; set; } = TimeSpan.FromSeconds(60);

    /// <summary>A folder of this node alone, in whose files the memory of its states lies. When the process dies and
    /// the node starts again under its <see cref="NodeName"/>, which must be set, other nodes send only what has
    /// changed meanwhile, if they still have it, and not whole copies. The folder survives the death of the process,
    /// not that of the machine. It is no copy of a value: nothing is served from it before another node has sent the
    /// rest.</summary>
    /// <value>Null by default: the memory ends with the process. Linux only. Not used by clients.</value>
    public string? MappedFolder { get; set; }

    /// <summary>How many partitions may be on their way to or from one node at the same time.</summary>
    /// <value>32 by default, from 1 to 1,024.</value>
    public int MaxMovesInFlight { get; set; } = 32;
}
