namespace Cluster.Glue.Substreams;

/// <summary>What became of the attempt to start a call without waiting.</summary>
internal enum StartResult
{
    /// <summary>The call is on its way, or already finished.</summary>
    Started,

    /// <summary>There is no open link.</summary>
    NotConnected,

    /// <summary>The server has not said yet whether it has the method.</summary>
    NotBound,

    /// <summary>As many calls as allowed are under way.</summary>
    CallsFull,

    /// <summary>The send queue is full.</summary>
    QueueFull,

    /// <summary>Too many bytes of large calls wait.</summary>
    BulkFull,
}
