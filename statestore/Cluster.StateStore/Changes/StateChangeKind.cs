namespace Cluster.StateStore.Changes;

/// <summary>What a <see cref="StateChange{TKey,TValue}"/> tells.</summary>
public enum StateChangeKind
{
    /// <summary>All later changes of the partition are told. Earlier ones may have been missed: a process that keeps a
    /// copy of its values reads them now (<see cref="IPartitionedState{TKey,TValue}.ScanPartitionAsync"/>).</summary>
    Began = 1,

    /// <summary>A value was stored, by a put or an operation.</summary>
    Stored = 2,

    /// <summary>A value was removed.</summary>
    Removed = 3,

    /// <summary>A value has gone away by its expiry.</summary>
    Expired = 4,
}
