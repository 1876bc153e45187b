using Cluster.Contracts;
using Cluster.Nodes;
using Shop.Carts;
using Shop.Drive.Load;

namespace Shop.Drive.Front;

/// <summary>Tells the load what the front knows: ownership from the cluster table, deaths from the child processes and
/// from the cluster. Deaths are kept for the whole run, one per ended process, in a concurrent dictionary.
/// Thread-safe.</summary>
internal sealed class ClusterWatch(ICluster cluster, TimeProvider time) : IClusterWatch
{
    private readonly ConcurrentDictionary<NodeId, long> _deaths = new();
    private long _lastDeath = long.MinValue;

    public SessionPlace PlaceOf(string session)
    {
        var partition = cluster.Snapshot.Partitions[cluster.PartitionOf(Cart.StateName, session).Value];
        return new SessionPlace(partition.Owner?.Node, partition.LossCount);
    }

    public bool IsDead(NodeId node) => _deaths.ContainsKey(node);

    public bool HasDeathSince(long timestamp) => Volatile.Read(ref _lastDeath) >= timestamp;

    /// <summary>Whether the table says of every partition who serves it, none of them known to be dead: then it also
    /// says what was lost.</summary>
    public bool IsSettled() =>
        cluster.Snapshot.Partitions.All(partition => partition.Owner is { } owner && !IsDead(owner.Node));

    /// <summary>Takes note that the process of a node has ended.</summary>
    public void NoteEnd(string name)
    {
        foreach (var node in cluster.Nodes.Where(node => node.Node.Name == name))
            NoteDeath(node.Node);

        Volatile.Write(ref _lastDeath, time.GetTimestamp());
    }

    /// <summary>Takes note of a death that the cluster has found out, which may come before the news from the operating
    /// system.</summary>
    public void NoteDeath(NodeId node) => _deaths.TryAdd(node, time.GetTimestamp());
}
