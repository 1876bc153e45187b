using Cluster.Contracts;
using Cluster.Nodes;
using Shop.Carts;
using Shop.Drive.Load;

namespace Shop.Drive.Front;

/// <summary>Answers the load's questions about the cluster. Owners come from the cluster table; deaths come from the
/// child processes and from the cluster. A concurrent dictionary keeps all deaths of the run. Thread-safe.</summary>
internal sealed class ClusterWatch(ICluster cluster, TimeProvider time) : IClusterWatch
{
    private readonly ConcurrentDictionary<NodeId, long> _deaths = new();
    private long _lastDeath = long.MinValue;
    private long _lastPause = long.MinValue;

    public SessionPlace PlaceOf(string session)
    {
        var partition = cluster.Snapshot.Partitions[cluster.PartitionOf(Cart.StateName, session).Value];
        return new SessionPlace(partition.Owner?.Node, partition.LossCount);
    }

    public bool IsDead(NodeId node) => _deaths.ContainsKey(node);

    public bool HasDeathSince(long timestamp) => Volatile.Read(ref _lastDeath) >= timestamp;

    public bool HasPauseSince(long timestamp) => Volatile.Read(ref _lastPause) >= timestamp;

    /// <summary>Records that a node was paused, or goes on after a pause.</summary>
    public void NotePause() => Volatile.Write(ref _lastPause, time.GetTimestamp());

    /// <summary>Whether the table names an owner for every partition and no owner is known to be dead. The table then
    /// also counts all losses.</summary>
    public bool IsSettled() =>
        cluster.Snapshot.Partitions.All(partition => partition.Owner is { } owner && !IsDead(owner.Node));

    /// <summary>Records that the process of a node has ended.</summary>
    public void NoteEnd(string name)
    {
        foreach (var node in cluster.Nodes.Where(node => node.Node.Name == name))
            NoteDeath(node.Node);

        Volatile.Write(ref _lastDeath, time.GetTimestamp());
    }

    /// <summary>Records a death that the cluster has reported. The report may come before the operating system reports
    /// the end of the process.</summary>
    public void NoteDeath(NodeId node)
    {
        var now = time.GetTimestamp();
        if (_deaths.TryAdd(node, now))
            Volatile.Write(ref _lastDeath, now);
    }
}
