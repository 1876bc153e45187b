namespace Cluster.StateStore.Hosting.Tables;

/// <summary>What a node does with one partition at the moment.</summary>
public enum PartitionState
{
    /// <summary>Nothing: the node holds none of its records and uses no memory for it.</summary>
    Absent,

    /// <summary>Answers reads and writes.</summary>
    Serving,

    /// <summary>Answers nothing, and keeps the records until the table says who owns them.</summary>
    Sealed,
}
