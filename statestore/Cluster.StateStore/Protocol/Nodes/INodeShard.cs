using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;

namespace Cluster.StateStore.Protocol.Nodes;

/// <summary>Some of a node's partitions, as the node's core sees them. The product has one implementation; simulations
/// of large clusters use one without records. Used under the node's lock.</summary>
internal interface INodeShard
{
    /// <summary>Whether the node holds nothing of these partitions.</summary>
    bool IsEmpty { get; }

    /// <summary>Whether <see cref="Tick"/> is needed soon, and not only with the next beacon.</summary>
    bool NeedsTick { get; }

    /// <summary>Returns the newest table version that a frame has told, and forgets it; zero: none.</summary>
    long TakeHint();

    /// <summary>Applies a table that the store has confirmed.</summary>
    void Apply(ClusterTable table, NodeSlot? self, Moment now);

    /// <summary>Does what is due.</summary>
    void Tick(Moment now);

    /// <summary>Adds the partitions for which this node promises a primary nothing.</summary>
    void CollectExclusions(NodeSlot primary, long tableVersion, ImmutableArray<PartitionId>.Builder into);

    /// <summary>Adds the changes of the table that the shard wants.</summary>
    void CollectWishes(List<Wish> into, MovePermit moves, Moment now);

    /// <summary>Marks a wish as proposed; the first table after the version tells its outcome.</summary>
    void Proposed(Wish wish, long version);
}
