namespace Cluster.StateStore.Hosting;

/// <summary>What a node's state store does at one moment. Immutable.</summary>
public sealed record StoreStatistics
{
    /// <summary>Partitions that this node serves: it is their primary, and its lease lasts.</summary>
    public int Serving { get; init; }

    /// <summary>Partitions whose primary this node is, and that answer nothing now: it takes over, hands over, or has
    /// no lease.</summary>
    public int Suspended { get; init; }

    /// <summary>Partitions of which this node has a copy.</summary>
    public int Backups { get; init; }

    /// <summary>Partitions whose copy this node receives.</summary>
    public int Copying { get; init; }

    /// <summary>Partitions that this node removes.</summary>
    public int Dropping { get; init; }

    /// <summary>Partitions of which this node keeps what an earlier life has left, until it gets them again.</summary>
    public int Kept { get; init; }

    /// <summary>Copies that this node sends.</summary>
    public int CopiesSent { get; init; }

    /// <summary>About how many bytes of keys and values these copies have still to send.</summary>
    public long CopyBytesLeft { get; init; }

    /// <summary>How long the shortest lease of a served partition still lasts. Null: no partition needs one.</summary>
    public TimeSpan? LeaseMargin { get; init; }

    /// <summary>How often a partition of this node has begun another epoch since the store was made.</summary>
    public long EpochChanges { get; init; }

    /// <summary>Frames that were refused: they were damaged, of strangers, or said what cannot be.</summary>
    public long RefusedFrames { get; init; }

    /// <summary>Frames that were sent again, because no answer came.</summary>
    public long RepeatedFrames { get; init; }

    /// <summary>Snapshots of partitions that were saved.</summary>
    public long SnapshotsSaved { get; init; }

    /// <summary>Snapshots of partitions that could not be saved or loaded.</summary>
    public long SnapshotsFailed { get; init; }

    /// <summary>Partitions that were restored from snapshots.</summary>
    public long PartitionsRestored { get; init; }

    /// <summary>Copies that this node has received whole.</summary>
    public long CopiesReceived { get; init; }

    /// <summary>Those of them that were only what had changed since an earlier life of the node.</summary>
    public long DifferencesReceived { get; init; }

    /// <summary>Bytes of keys, values and log entries that came in copies.</summary>
    public long CopyBytesReceived { get; init; }

    /// <summary>Bytes of keys and values that an earlier life has left, so that they did not have to come.</summary>
    public long KeptBytesUsed { get; init; }

    /// <summary>Partitions of which this node dropped what an earlier life had left, because it did not get them, or
    /// because their primary could not use it.</summary>
    public long KeptDropped { get; init; }
}
