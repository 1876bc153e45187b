using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Cluster.StateStore.Hosting;

/// <summary>How a node's state store behaves. Read once, when the store is made.</summary>
public sealed class NodeStateStoreOptions
{
    /// <summary>The clock: its UTC time decides expiry, its timers bound waits.</summary>
    /// <value>The system's.</value>
    public TimeProvider Time { get; set; } = TimeProvider.System;

    /// <summary>How long a write waits for an operation that holds its key.</summary>
    /// <value>5 s.</value>
    public TimeSpan MaxKeyWait { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How long sealing a partition waits for the operations that run.</summary>
    /// <value>5 s.</value>
    public TimeSpan MaxSealWait { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How often expired values are looked for. Reads never see an expired value, whatever this is.</summary>
    /// <value>1 s.</value>
    public TimeSpan SweepInterval { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How many index slots one look for expired values visits at most; the next one goes on from
    /// there.</summary>
    /// <value>1,000,000, which takes a few milliseconds.</value>
    public int MaxSweepSlots { get; set; } = 1_000_000;

    /// <summary>Seeds the random numbers that operations get.</summary>
    /// <value>0.</value>
    public int Seed { get; set; }

    /// <summary>Called when a request names a newer epoch of a partition than the one served here. Nothing has changed
    /// by then, because a request proves nothing: the host reads the table from the cluster store and acts on the
    /// table. It may be called for every request, so the host bounds how often it reads. Must not block.</summary>
    /// <value>Null: the host notices by itself.</value>
    public Action<PartitionId, Epoch>? NewerEpochHeard { get; set; }

    /// <summary>Where the store logs.</summary>
    /// <value>Nowhere.</value>
    public ILoggerFactory LoggerFactory { get; set; } = NullLoggerFactory.Instance;
}
