using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Nodes;

/// <summary>When a node begins planned moves: shortly after a table that makes some possible. The other nodes have that
/// table at about the same time, so one next table holds the moves of all. Used under the node's lock.</summary>
/// <param name="times">The times of the protocol.</param>
internal sealed class MoveWindow(ProtocolTimes times)
{
    private long _openedAt = long.MinValue / 2;

    /// <summary>Looks at a new table.</summary>
    /// <param name="before">The table that stood; null: none.</param>
    /// <param name="table">The new table.</param>
    /// <param name="now">The monotonic clock.</param>
    public void Adopted(ClusterTable? before, ClusterTable table, long now)
    {
        for (var index = 0; index < table.Partitions.Length; index++)
        {
            var entry = table.Partitions[index];
            if (CanMove(entry) && !CouldMove(before, index, entry))
            {
                _openedAt = now;
                return;
            }
        }
    }

    /// <summary>Whether moves may begin. What was not ready in time waits for the next table that makes a move
    /// possible, and not longer than <see cref="ProtocolTimes.Pace"/>.</summary>
    public bool IsOpen(long now)
    {
        if (now - _openedAt >= times.Pace.Ticks)
            _openedAt = now;
        return now - _openedAt < times.MoveWindow.Ticks;
    }

    private static bool CanMove(PartitionEntry entry) =>
        entry.Next is { } next && next != entry.Primary && entry.InSync.Items.Contains(next);

    // Partitions come to a table when a set of them begins.
    private static bool CouldMove(ClusterTable? before, int index, PartitionEntry entry) =>
        before is not null
        && index < before.Partitions.Length
        && before.Partitions[index] is var old
        && CanMove(old)
        && (old.Next, old.Epoch) == (entry.Next, entry.Epoch);
}
