using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Engine;

/// <summary>What an engine asks of the process around it. Calls come from any thread, outside the engine's lock, and
/// return at once; outcomes come back as calls of the engine.</summary>
internal interface IEngineWorld
{
    /// <summary>Sends a frame. It may be lost.</summary>
    void Send(NodeId to, ReadOnlyMemory<byte> frame);

    /// <summary>Reads the table from the store.</summary>
    /// <param name="isConsistent">Whether it must be the newest one.</param>
    void ReadTable(bool isConsistent);

    /// <summary>Proposes a table to the store.</summary>
    /// <param name="successor">The table; its nonce comes back with the outcome.</param>
    /// <param name="needsCoordinator">Whether it may stand only while this node has the role of the
    /// coordinator.</param>
    void Swap(ClusterTable successor, bool needsCoordinator);

    /// <summary>Finds out whether a life has ended.</summary>
    void Probe(NodeId node);

    /// <summary>Asks the store for the role of the coordinator, or keeps it.</summary>
    void HoldCoordinator();

    /// <summary>Gives the role back.</summary>
    void ReleaseCoordinator();

    /// <summary>Notes that a partition began again empty, with the number of records that this node dropped.</summary>
    void Lost(PartitionId partition, int lossCount, long records);

    /// <summary>Notes that the node has left the cluster.</summary>
    void Left();
}
