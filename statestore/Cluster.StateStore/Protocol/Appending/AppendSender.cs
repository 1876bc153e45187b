using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Protocol.Appending;

/// <summary>Sends a primary's entries to its backups, many partitions in one frame: at once where the link is idle,
/// else when an answer returns. Used under the shard's lock.</summary>
internal sealed class AppendSender
{
    private readonly ShardContext _context;
    private readonly Dictionary<NodeSlot, PeerLink> _links = [];

    /// <summary>Makes a sender without links.</summary>
    /// <param name="context">What the parts of the shard share.</param>
    public AppendSender(ShardContext context)
    {
        _context = context;
        Confirmations = new Confirmations(context, this);
    }

    /// <summary>The strict reads, which wait for answers to its frames.</summary>
    public Confirmations Confirmations { get; }

    /// <summary>Whether a frame is unanswered or will be sent later.</summary>
    public bool IsBusy => _links.Values.Any(link => link.InFlight.Count > 0 || link.LaterAt is not null);

    /// <summary>The number of the next frame to a member.</summary>
    public long NextFrameTo(NodeSlot member) => LinkOf(member).Number + 1;

    /// <summary>Queues a partition for all its followers.</summary>
    public void Queue(Replica replica, Moment now)
    {
        foreach (var follower in replica.Followers.Values)
            Queue(replica, follower, now);
    }

    /// <summary>Queues a partition for one follower.</summary>
    public void Queue(Replica replica, Follower follower, Moment now)
    {
        if (replica.Log.Last > follower.Acked)
            follower.WaitingSince ??= now.Ticks;
        if (follower.IsQueued || !follower.TakesEntries)
            return;
        follower.IsQueued = true;
        LinkOf(follower.Slot).Queue.Enqueue(replica);
    }

    /// <summary>Lets the followers know soon what is committed, with other entries if there are some.</summary>
    public void TellCommit(Replica replica, Moment now)
    {
        if (replica.Followers.Count == 0)
            return;
        foreach (var follower in replica.Followers.Values)
        {
            if (follower.SentCommit < replica.Committed)
                QueueLater(replica, follower, now);
        }
    }

    /// <summary>Handles the answer to a frame.</summary>
    public void Acked(NodeSlot from, AckFrame frame, Moment now, Func<PartitionId, Replica?> find)
    {
        var link = LinkOf(from);
        link.InFlight.RemoveAll(each => each.Number == frame.Number);
        foreach (var item in frame.Items)
        {
            if (find(item.Partition) is not { IsPrimary: true } replica
                || !replica.Followers.TryGetValue(from, out var follower)
                || item.Scan != follower.Scan
                || item.Epoch < replica.PrimarySince)
                continue;
            // Only what was taken says that both logs are the same up to an entry.
            var isTaken = item.Verdict == AppendVerdict.Taken;
            if (item.Epoch > replica.Entry.Epoch.Value || (isTaken && item.Matched > replica.Log.Last))
                _context.Counters.Malformed++;
            else
                Acked(replica, follower, item, now);
        }
    }

    /// <summary>Sends what is queued, and sends again what was not answered.</summary>
    public void Flush(Moment now, ImmutableArray<Replica> replicas)
    {
        foreach (var link in _links.Values)
        {
            if (link.InFlight.Count > 0 && now.Ticks - link.InFlight[0].SentAt >= _context.Times.Resend.Ticks)
                Resend(link, replicas, now);
            if (link.LaterAt <= now.Ticks)
                QueueNow(link, now);
            while (link.InFlight.Count < PeerLink.FramesMax && Build(link, now) is { IsEmpty: false } items)
            {
                link.InFlight.Add((++link.Number, now.Ticks));
                _context.Effects.Send(link.Slot, new AppendFrame(link.Number, items));
            }
        }
    }

    /// <summary>Forgets the members that a table does not list any more.</summary>
    public void Keep(ClusterTable table)
    {
        foreach (var slot in _links.Keys)
        {
            if (table.FindMember(slot) is null)
                _links.Remove(slot);
        }
    }

    private void Acked(Replica replica, Follower follower, in AckItem item, Moment now)
    {
        switch (item.Verdict)
        {
            case AppendVerdict.Taken:
                if (item.Matched > follower.Acked || !follower.HasAcked)
                    follower.WaitingSince = null;
                follower.Acked = EntryId.Max(follower.Acked, item.Matched);
                follower.HasAcked = true;
                follower.AckedEpoch = Math.Max(follower.AckedEpoch, item.Epoch);
                if (replica.Log.Last > follower.Acked)
                    follower.WaitingSince ??= now.Ticks;
                else
                    follower.WaitingSince = null;
                break;
            case AppendVerdict.Gap:
                _context.Counters.Gaps++;
                var known = replica.Log.Contains(item.Matched) ? item.Matched : default;
                follower.Sent = EntryId.Max(known, follower.Base(replica.Log.Start));
                Queue(replica, follower, now);
                break;
            case AppendVerdict.Full:
                follower.IsFull = true;
                goto default;
            default:
                follower.Sent = follower.Base(replica.Log.Start);
                QueueLater(replica, follower, now);
                break;
        }
    }

    private ImmutableArray<AppendItem> Build(PeerLink link, Moment now)
    {
        var items = ImmutableArray.CreateBuilder<AppendItem>();
        var bytes = 0;
        var count = link.Queue.Count;
        while (count-- > 0 && bytes < _context.Options.FrameBytes)
        {
            var replica = link.Queue.Dequeue();
            if (!replica.Followers.TryGetValue(link.Slot, out var follower))
                continue;
            follower.IsQueued = false;
            link.Later.Remove(replica);
            if (!replica.IsPrimary || !follower.TakesEntries)
                continue;
            items.Add(Build(replica, follower, ref bytes));
            if (follower.Sent < replica.Log.Last)
                Queue(replica, follower, now);
        }

        return items.DrainToImmutable();
    }

    private AppendItem Build(Replica replica, Follower follower, ref int bytes)
    {
        var entries = ImmutableArray.CreateBuilder<LoggedEntry>();
        var previous = follower.Sent = EntryId.Max(follower.Sent, replica.Log.Start);
        for (var index = replica.Log.IndexAfter(previous); index < replica.Log.Count; index++)
        {
            if (bytes >= _context.Options.FrameBytes && entries.Count > 0)
                break;
            var entry = replica.Log.At(index);
            entries.Add(entry);
            bytes += entry.Bytes.Length;
            follower.Sent = entry.Id;
        }

        bytes += LogEntryCodec.FixedBytes;
        follower.SentCommit = replica.Committed;
        return new AppendItem(
            replica.Id, replica.Entry.Epoch.Value, previous, replica.Committed, entries.DrainToImmutable())
        {
            Scan = follower.Scan,
        };
    }

    private void Resend(PeerLink link, ImmutableArray<Replica> replicas, Moment now)
    {
        _context.Counters.Resends++;
        link.InFlight.Clear();
        foreach (var replica in replicas)
        {
            if (!replica.IsPrimary || !replica.Followers.TryGetValue(link.Slot, out var follower))
                continue;
            follower.Sent = follower.Base(replica.Log.Start);
            if (!follower.HasAcked || follower.Sent < replica.Log.Last || replica.Committed > follower.Acked)
                Queue(replica, follower, now);
            else
                QueueLater(replica, follower, now);
        }
    }

    private void QueueLater(Replica replica, Follower follower, Moment now)
    {
        if (!follower.TakesEntries)
            return;
        var link = LinkOf(follower.Slot);
        link.Later.Add(replica);
        link.LaterAt ??= now.Ticks + _context.Times.CommitNews.Ticks;
    }

    private void QueueNow(PeerLink link, Moment now)
    {
        link.LaterAt = null;
        foreach (var replica in link.Later)
        {
            if (replica.IsPrimary && replica.Followers.TryGetValue(link.Slot, out var follower))
                Queue(replica, follower, now);
        }

        link.Later.Clear();
    }

    private PeerLink LinkOf(NodeSlot slot)
    {
        if (!_links.TryGetValue(slot, out var link))
            _links[slot] = link = new PeerLink(slot);
        return link;
    }
}
