using Cluster.StateStore.Hosting;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Shards;

namespace Cluster.StateStore.Engine;

/// <summary>Describes what a shard does. Used under the engine's lock. Stateless.</summary>
internal static class StatisticsCollector
{
    public static StoreStatistics Collect(ReplicaShard shard, Moment now, long refusedFrames)
    {
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
            CopiesSent = copies,
            CopyBytesLeft = bytes,
            LeaseMargin = margin == long.MaxValue ? null : TimeSpan.FromTicks(margin - now.Ticks),
            EpochChanges = shard.Counters.EpochChanges,
            RefusedFrames = refusedFrames + shard.Counters.Malformed,
            RepeatedFrames = shard.Counters.Resends,
        };
    }
}
