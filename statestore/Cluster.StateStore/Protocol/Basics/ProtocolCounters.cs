namespace Cluster.StateStore.Protocol.Basics;

/// <summary>Counts what a node refuses or repeats. Used under the lock of its owner; read for metrics.</summary>
internal sealed class ProtocolCounters
{
    /// <summary>Messages with an impossible epoch, entry, partition or sender.</summary>
    public long Malformed { get; set; }

    /// <summary>Messages of an epoch that is over, or that the store has not confirmed yet.</summary>
    public long OtherEpoch { get; set; }

    /// <summary>Frames whose predecessor the backup does not have.</summary>
    public long Gaps { get; set; }

    /// <summary>Frames that were sent again after silence.</summary>
    public long Resends { get; set; }

    /// <summary>Questions for a copy that came more than once.</summary>
    public long RepeatedAsks { get; set; }

    /// <summary>Copies that began again.</summary>
    public long CopyRestarts { get; set; }

    /// <summary>Copies that this node has received whole.</summary>
    public long CopiesReceived { get; set; }

    /// <summary>Those of them that were only a difference.</summary>
    public long DifferencesReceived { get; set; }

    /// <summary>Bytes of keys, values and entries that came in copies and differences.</summary>
    public long CopyBytesReceived { get; set; }

    /// <summary>Bytes of keys and values that an earlier life of the node has left, so that they did not have to
    /// come.</summary>
    public long BaseBytesUsed { get; set; }

    /// <summary>Partitions whose content of an earlier life was dropped without use.</summary>
    public long BasesDropped { get; set; }

    /// <summary>Epochs that partitions of this node have begun.</summary>
    public long EpochChanges { get; set; }

    /// <summary>Operations that a demotion sent back to their callers.</summary>
    public long Demoted { get; set; }
}
