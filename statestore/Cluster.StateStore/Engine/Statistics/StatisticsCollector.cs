using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Shards;

namespace Cluster.StateStore.Engine.Statistics;

/// <summary>Describes what a shard does. Used under the engine's lock. Stateless.</summary>
internal static class StatisticsCollector
{
    /// <summary>Describes what the partitions contain whose primary this node is.</summary>
    public static IReadOnlyList<PartitionStatistics> CollectPrimaries(ReplicaShard shard) =>
    [
        .. shard.Replicas.Where(replica => replica.IsPrimary).Select(replica =>
        {
            var sums = shard.SumsOf(replica.Id);
            return new PartitionStatistics(replica.Id, replica.Entry.Epoch, sums.Count, sums.Bytes);
        }),
    ];

    /// <summary>Describes what each replica on this node contains, also those of which another node is the
    /// primary.</summary>
    public static IReadOnlyList<ReplicaSums> CollectReplicas(ReplicaShard shard) =>
    [
        .. shard.Replicas.Select(replica =>
            new ReplicaSums(replica.Id, replica.Entry.Epoch, replica.Phase, shard.SumsOf(replica.Id))),
    ];

    /// <summary>Describes what the node does with its partitions.</summary>
    public static StoreStatistics Collect(EngineParts parts, long refusedFrames)
    {
        var (shard, now) = (parts.Shard, parts.Now);
        var counts = new int[Enum.GetValues<Phase>().Length];
        var (serving, margin) = (0, long.MaxValue);
        foreach (var replica in shard.Replicas)
        {
            counts[(int)replica.Phase]++;
            if (!shard.IsServing(replica, now))
                continue;
            serving++;
            margin = Math.Min(margin, shard.ServedUntil(replica));
        }

        var (copies, bytes) = shard.CopiesLeft;
        return new StoreStatistics
        {
            Serving = serving,
            Suspended = counts[(int)Phase.Serving] + counts[(int)Phase.Promoting] + counts[(int)Phase.Sealed] - serving,
            Backups = counts[(int)Phase.InSync],
            Copying = counts[(int)Phase.Copying],
            Dropping = counts[(int)Phase.Dropping],
            Kept = counts[(int)Phase.Kept],
            CopiesSent = copies,
            CopyBytesLeft = bytes,
            LeaseMargin = margin == long.MaxValue ? null : TimeSpan.FromTicks(margin - now.Ticks),
            EpochChanges = shard.Counters.EpochChanges,
            RefusedFrames = refusedFrames + shard.Counters.Malformed,
            RepeatedFrames = shard.Counters.Resends,
            CopiesReceived = shard.Counters.CopiesReceived,
            DifferencesReceived = shard.Counters.DifferencesReceived,
            CopyBytesReceived = shard.Counters.CopyBytesReceived,
            KeptBytesUsed = shard.Counters.BaseBytesUsed,
            KeptDropped = shard.Counters.BasesDropped,
        };
    }
}
