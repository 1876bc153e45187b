using Cluster.Contracts;

namespace Shop.Drive.Load;

/// <summary>What the load must know about the cluster in order to judge a failed call. Answers from memory.</summary>
internal interface IClusterWatch
{
    /// <summary>Where a session's cart is kept.</summary>
    /// <param name="session">The session's key.</param>
    SessionPlace PlaceOf(string session);

    /// <summary>Whether a node is known to be dead.</summary>
    /// <param name="node">Name and incarnation.</param>
    bool IsDead(NodeId node);

    /// <summary>Whether any node is known to have died since a moment.</summary>
    /// <param name="timestamp">The moment, in the units of the time provider.</param>
    bool HasDeathSince(long timestamp);
}
