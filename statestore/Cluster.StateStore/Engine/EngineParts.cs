using Cluster.StateStore.Engine.Feeds;
using Cluster.StateStore.Engine.Loads;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Shards;

namespace Cluster.StateStore.Engine;

/// <summary>What the engine's lock protects beside the protocol's own calls. Used under the lock.</summary>
/// <param name="Shard">The partitions.</param>
/// <param name="Feeds">The watches of processes.</param>
/// <param name="Loads">Who loads missing values.</param>
/// <param name="IsOpen">Whether the engine still answers operations.</param>
/// <param name="Now">The moment.</param>
internal readonly record struct EngineParts(
    ReplicaShard Shard, FeedHub Feeds, LoadDesk Loads, bool IsOpen, Moment Now);
