namespace Cluster.Glue.Substreams;

/// <summary>The result of an attempt to start a call without waiting.</summary>
internal enum StartResult
{
    /// <summary>The call is on its way, or is already finished.</summary>
    Started,

    /// <summary>There is no open link.</summary>
    NotConnected,

    /// <summary>The server has not answered yet whether it has the method.</summary>
    NotBound,

    /// <summary>The limit of calls under way is reached.</summary>
    CallsFull,

    /// <summary>The send queue is full.</summary>
    QueueFull,

    /// <summary>Too many bytes of large calls are queued.</summary>
    BulkFull,
}
