using System.Diagnostics.Metrics;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Cluster.StateStore.Hosting;

/// <summary>How a node's state store behaves. Read once, when the store is made.</summary>
public sealed class NodeStateStoreOptions
{
    /// <summary>The node as it enters the member list; its slot is chosen then.</summary>
    public required ClusterMember Member { get; set; }

    /// <summary>The process around the store.</summary>
    public required INodeEnvironment Environment { get; set; }

    /// <summary>How many members must be active before partitions are given to anybody for the first time.</summary>
    /// <value>1.</value>
    public int InitialNodeCount { get; set; } = 1;

    /// <summary>How many backups a state has that names no number itself.</summary>
    /// <value>0.</value>
    public int Backups { get; set; }

    /// <summary>How many partitions the node sends to others at the same time.</summary>
    /// <value>32.</value>
    public int MaxCopies { get; set; } = 32;

    /// <summary>Tells how many entries a partition held when it was counted last, or null where it never was. Losses
    /// are recorded with it.</summary>
    /// <value>Always null.</value>
    public Func<PartitionId, long?> CountOf { get; set; } = static _ => null;

    /// <summary>The clock: its UTC time decides expiry, its timers bound waits.</summary>
    /// <value>The system's.</value>
    public TimeProvider Time { get; set; } = TimeProvider.System;

    /// <summary>How long an operation runs again when other writes of its key came first.</summary>
    /// <value>5 s.</value>
    public TimeSpan MaxKeyWait { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Seeds the random numbers that operations get.</summary>
    /// <value>0.</value>
    public int Seed { get; set; }

    /// <summary>Called when a request names a newer epoch of a partition than the table. Nothing has changed by then,
    /// because a request proves nothing: the host reads the table from the cluster store. It may be called for every
    /// request, so the host bounds how often it reads. Must not block.</summary>
    /// <value>Null: the host notices by itself.</value>
    public Action<PartitionId, Epoch>? NewerEpochHeard { get; set; }

    /// <summary>Where the store logs.</summary>
    /// <value>Nowhere.</value>
    public ILoggerFactory LoggerFactory { get; set; } = NullLoggerFactory.Instance;

    /// <summary>The source of the meter <c>Cluster.StateStore</c>, which
    /// measures the requests that the node serves.</summary>
    /// <value>Null: a meter of the process.</value>
    public IMeterFactory? MeterFactory { get; set; }

    /// <summary>The highest version of the protocol between nodes that the node speaks. Only tests change
    /// it.</summary>
    /// <value>That of this library.</value>
    public int Protocol { get; set; } = ProtocolVersion.Current;

    /// <summary>How long all members must speak a version of the protocol before nodes without it are
    /// refused.</summary>
    /// <value>10 minutes.</value>
    public TimeSpan ProtocolRaiseDelay { get; set; } = TimeSpan.FromMinutes(10);

    /// <summary>Where the node saves snapshots of its partitions, from which lost ones are restored. Each node of each
    /// cluster gets a folder of its own in it.</summary>
    /// <value>Null: it saves none.</value>
    public string? SnapshotFolder { get; set; }

    /// <summary>The time between two snapshots of a partition that changes.</summary>
    /// <value>5 minutes.</value>
    public TimeSpan SnapshotInterval { get; set; } = TimeSpan.FromMinutes(5);

    /// <summary>How long a lost partition stays closed for nodes that may have a snapshot of it.</summary>
    /// <value>60 s.</value>
    public TimeSpan RestoreTimeout { get; set; } = TimeSpan.FromSeconds(60);

    /// <summary>The folder in which the memory of the pile lies, so that it outlives the process. The marks of the
    /// partitions lie there, too. A node that starts again needs only what has changed meanwhile.</summary>
    /// <value>Null: the content of the pile ends with the process.</value>
    public string? MappedFolder { get; set; }

    /// <summary>Whether the folder of snapshots may belong to another user, or be writable for others.</summary>
    /// <value>False.</value>
    public bool AllowSharedFolder { get; set; }

    internal StateStore.Protocol.Basics.ProtocolTimes Times { get; set; } = new();
}
