using Cluster.StateStore.Protocol.Logs;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>Learns what a primary has applied. Called under the shard's lock.</summary>
internal interface IChangeSink
{
    /// <summary>Whether anybody wants to know.</summary>
    bool IsWatching { get; }

    /// <summary>Takes an entry of a partition, whose memory is valid during the call alone.</summary>
    void Applied(Replica replica, in LogEntry entry);
}
