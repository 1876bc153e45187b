namespace Cluster.StateStore.Protocol.Basics;

/// <summary>What a node may do about planned moves now.</summary>
internal enum MovePermit
{
    /// <summary>Nothing: no coordinator is heard, so a partition would stay closed for long.</summary>
    None,

    /// <summary>It may go on with partitions that it has closed already.</summary>
    Finish,

    /// <summary>It may also close other ones.</summary>
    Begin,
}
