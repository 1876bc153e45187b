using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Restoring;

/// <summary>Restores lost partitions from snapshots of this node. While all members of a partition are gone, the node
/// tells the coordinator what it could restore (a wish for T5). When T5 names this node, it loads the snapshot before
/// it serves. Used under the shard's lock.</summary>
/// <param name="context">What the parts of the shard share.</param>
internal sealed class Restorer(ShardContext context)
{
    private readonly HashSet<NodeSlot> _living = [];

    /// <summary>Looks for lost partitions in a new table, after the replicas have taken their roles.</summary>
    public void Apply(ClusterTable table, IEnumerable<Replica> replicas)
    {
        if (!context.Options.KeepsSnapshots)
            return;
        _living.Clear();
        _living.UnionWith(
            table.Members.Where(member => member.State != MemberState.Gone).Select(member => member.Slot));
        foreach (var replica in replicas)
            Look(replica);
    }

    /// <summary>Learns what snapshot of a lost partition there is.</summary>
    /// <param name="replica">The partition.</param>
    /// <param name="epoch">The epoch of the loss.</param>
    /// <param name="mark">Up to which entry the snapshot has everything; zero: there is none.</param>
    public static void Found(Replica replica, long epoch, EntryId mark)
    {
        if (replica.Restoration is { } restoration && restoration.Epoch == epoch)
            restoration.Mark = mark;
    }

    /// <summary>Begins to load the snapshot where T5 has given this node the partition because of it.</summary>
    /// <returns>True: the partition must not be served yet.</returns>
    public bool IsBegun(Replica replica)
    {
        if (replica.Restoration is not { Mark: { } mark } restoration
            || mark == default
            || !IsGiven(replica, restoration))
            return false;
        if (restoration.IsLoading)
            return true;
        restoration.IsLoading = true;
        replica.HasContent = true;
        replica.Phase = Phase.Promoting;
        context.Effects.Restorations.Add((replica.Id, restoration.Epoch));
        return true;
    }

    /// <summary>Takes a part of the snapshot.</summary>
    /// <returns>False: no more is wanted, or there is no room.</returns>
    public bool Load(Replica replica, long epoch, in SnapshotContent content)
    {
        if (!IsLoading(replica, epoch)
            || !context.Records.HasRoom(replica.Id, content.Records.Sum(record => record.Value.Length)))
            return false;
        foreach (var record in content.Records)
        {
            if (!context.Records.Load(replica.Id, record))
                return false;
        }

        foreach (var image in content.Requests)
            replica.Requests.Load(image);
        return true;
    }

    /// <summary>Ends the load: the log goes on after the newest entry of the snapshot. An expiry is a time of UTC, so a
    /// life goes on while the snapshot rests; only a time that is ahead of the clock is taken over.</summary>
    /// <returns>False: the load is not under way any more.</returns>
    public bool TryEnd(Replica replica, long epoch, in SnapshotMark mark, Moment now)
    {
        if (!IsLoading(replica, epoch))
            return false;
        replica.Log.Reset(mark.Last);
        (replica.Committed, replica.Matched) = (mark.Last, mark.Last);
        if (mark.Time > now.Utc)
            replica.Clock.Told(mark.Time, now.Ticks);
        replica.Restoration = null;
        return true;
    }

    /// <summary>Gives the load up, so that the partition begins empty.</summary>
    /// <returns>False: the load is not under way any more.</returns>
    public bool TryGiveUp(Replica replica, long epoch)
    {
        if (!IsLoading(replica, epoch))
            return false;
        replica.Restoration = null;
        return true;
    }

    private void Look(Replica replica)
    {
        var entry = replica.Entry;
        if (entry.Primary is not null && !entry.InSync.Items.Any(_living.Contains))
        {
            if (replica.Restoration?.Epoch == entry.Epoch.Value)
                return;
            replica.Restoration = new Restoration(entry.Epoch.Value, entry.LossCount);
            context.Effects.SnapshotsWanted.Add((replica.Id, entry.Epoch.Value));
        }
        else if (replica.Restoration is { } restoration && !IsGiven(replica, restoration))
            replica.Restoration = null;
    }

    private bool IsLoading(Replica replica, long epoch) =>
        replica is { Phase: Phase.Promoting, Restoration: { IsLoading: true } restoration }
        && restoration.Epoch == epoch
        && IsGiven(replica, restoration);

    private bool IsGiven(Replica replica, Restoration restoration) =>
        replica.Entry.Primary == context.Self
        && replica.Entry.LossCount == restoration.LossCount + 1
        && replica.Entry.Epoch.Value == restoration.Epoch + 1;
}
