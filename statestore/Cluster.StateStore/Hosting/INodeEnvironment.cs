using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting;

/// <summary>What a node's state store asks of the process around it. Calls come from any thread and return at once;
/// outcomes come back as calls of the store.</summary>
public interface INodeEnvironment
{
    /// <summary>Sends a frame, which is no beacon, to the state store of another node. It may be lost.</summary>
    /// <param name="node">The other node.</param>
    /// <param name="frame">The frame; its memory does not change any more.</param>
    void Send(NodeId node, byte[] frame);

    /// <summary>Sends a beacon to another node. It may be lost, and it must not wait: a newer beacon replaces one that
    /// could not be sent yet. The acknowledgement comes back by <see cref="NodeStateStore.DeliverBeacon"/>.</summary>
    /// <param name="node">The other node.</param>
    /// <param name="frame">The frame; its memory does not change any more.</param>
    void SendBeacon(NodeId node, byte[] frame);

    /// <summary>Answers the newest beacon of another node. The answer may be lost, and it must not wait.</summary>
    /// <param name="node">The node whose beacon was delivered.</param>
    /// <param name="frame">The frame; its memory does not change any more.</param>
    void AnswerBeacon(NodeId node, byte[] frame);

    /// <summary>Reads the table from the cluster store.</summary>
    /// <param name="isConsistent">Whether it must be the newest one.</param>
    void ReadTable(bool isConsistent);

    /// <summary>Notes that another node knows a newer table than this one. That proves nothing: only the cluster store
    /// does.</summary>
    /// <param name="version">The version of that table.</param>
    void HearOfTable(long version);

    /// <summary>Proposes a table to the cluster store.</summary>
    /// <param name="successor">The table; its nonce comes back with the outcome.</param>
    /// <param name="needsCoordinator">Whether it may stand only while this node has the role of the
    /// coordinator.</param>
    void Swap(ClusterTable successor, bool needsCoordinator);

    /// <summary>Finds out whether a life has ended.</summary>
    /// <param name="node">The life.</param>
    void Probe(NodeId node);

    /// <summary>Asks the cluster store for the role of the coordinator, or keeps it.</summary>
    void HoldCoordinator();

    /// <summary>Gives the role of the coordinator back.</summary>
    void ReleaseCoordinator();
}
