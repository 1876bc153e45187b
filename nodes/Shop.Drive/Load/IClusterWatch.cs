using Cluster.Contracts;

namespace Shop.Drive.Load;

/// <summary>The facts about the cluster that the load needs to judge a failed call. Answers come from memory, without a
/// call.</summary>
internal interface IClusterWatch
{
    /// <summary>Returns the place of a session's cart.</summary>
    /// <param name="session">The session's key.</param>
    SessionPlace PlaceOf(string session);

    /// <summary>Returns whether a node is known to be dead.</summary>
    /// <param name="node">The node's name and incarnation.</param>
    bool IsDead(NodeId node);

    /// <summary>Returns whether the process of any node has ended since a moment.</summary>
    /// <param name="timestamp">The moment, as a timestamp of the time provider.</param>
    bool HasDeathSince(long timestamp);

    /// <summary>Returns whether a node has stood still since a moment, because it was paused.</summary>
    /// <param name="timestamp">The moment, as a timestamp of the time provider.</param>
    bool HasPauseSince(long timestamp);
}
