using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>Looks for records whose life is over, a part of a partition at a time, so that no call takes long and all
/// together take a small part of the time. Used under the shard's lock.</summary>
/// <param name="tables">The tables of all states.</param>
internal sealed class ExpirySearch(StateTables tables)
{
    private const int VisitsMax = 2_000;

    // A look takes about 0.2 µs, so a shard spends at most 4 % of its time with them.
    private const long TicksPerRecord = 5 * TimeSpan.TicksPerMicrosecond;

    /// <summary>Continues a walk.</summary>
    /// <param name="walk">The walk.</param>
    /// <param name="hash">The hash of the cluster.</param>
    /// <param name="limits">The time at which lives are over, and how many records may be in the list.</param>
    /// <param name="into">The list; its records come without values.</param>
    /// <returns>True when the walk has ended.</returns>
    public static bool Search(
        RecordWalk walk, PartitionHash hash, (long Time, int Count) limits, List<RecordImage> into)
    {
        for (var visits = 0; visits < VisitsMax && into.Count < limits.Count; visits++)
        {
            if (!walk.TryNext(out var key))
                return true;
            if (!walk.Table.TryReadStamp(hash.Hash(key), key, out var stamp, out _) || stamp.Time <= 0)
                continue;
            walk.DueAt = Math.Min(walk.DueAt, LifeEnd.TicksOf(stamp.Time));
            if (LifeEnd.IsOver(stamp.Time, limits.Time))
            {
                var id = new StateKey(walk.State, key.ToArray());
                into.Add(new RecordImage(id, new EntryId(stamp.Version), stamp.Time, default));
            }
        }

        return false;
    }

    /// <summary>Returns when the next walk over a partition begins at the earliest, in ticks of UTC.</summary>
    public long NextAfter(long dueAt, long time) =>
        Math.Max(dueAt, time + (tables.Count * TicksPerRecord));
}
