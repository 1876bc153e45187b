namespace Cluster.StateStore.Protocol.Storage;

/// <summary>The marks of partitions, which outlive the process together with the records. The records change before
/// their mark says so, and a mark goes before its records do: the process may end between any two changes. Used under
/// the shard's lock.</summary>
internal interface IReplicaMarks
{
    /// <summary>Returns the mark of a partition; null: nothing is certain about its records.</summary>
    BaseMark? Find(PartitionId partition);

    /// <summary>Sets the mark of a partition. If the process ends meanwhile, the old or the new one is there.</summary>
    void Set(PartitionId partition, BaseMark mark);

    /// <summary>Removes the mark of a partition.</summary>
    void Clear(PartitionId partition);
}
