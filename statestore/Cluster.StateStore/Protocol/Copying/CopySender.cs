using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Appending;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Copying;

/// <summary>Sends partitions to the members that join them, while the partitions are served: the records as they are,
/// and the log from the start of the scan. Used under the shard's lock.</summary>
/// <param name="context">What the parts of the shard share.</param>
/// <param name="sender">Sends the entries of the log.</param>
internal sealed class CopySender(ShardContext context, AppendSender sender)
{
    private readonly Dictionary<PartitionId, CopySource> _sources = [];
    private readonly Dictionary<PartitionId, (NodeSlot Target, Replica Replica, CopyAsk Ask)> _waiting = [];
    private readonly List<RecordImage> _records = [];
    private long _scans;

    /// <summary>How many copies are sent, and about how many bytes are left to send. Records that changed meanwhile may
    /// be sent more than once.</summary>
    public (int Count, long Bytes) Left =>
        (_sources.Count,
            _sources.Where(static pair => !pair.Value.IsDifference)
                .Sum(pair => Math.Max(0, context.Records.SumsOf(pair.Key).Bytes - pair.Value.SentBytes)));

    /// <summary>Begins a copy, or begins it again: a target asks only while it has nothing.</summary>
    public void Asked(NodeSlot from, Replica replica, CopyAsk ask, Moment now)
    {
        if (replica.Phase != Phase.Serving || replica.Entry.Joining != from || ask.Epoch > replica.Entry.Epoch.Value)
        {
            context.Counters.OtherEpoch++;
            return;
        }

        if (IsRepeated(from, replica, ask, now))
        {
            context.Counters.RepeatedAsks++;
            return;
        }

        _waiting.Remove(replica.Id);
        if (ask.Base is { } mark && !IsOfThisHistory(replica, mark))
        {
            context.Effects.Send(from, new CopyChunk(ask, 0, 0, default, []) { IsBaseRefused = true });
            return;
        }

        if (_sources.Remove(replica.Id, out var known))
        {
            // An attempt that comes no further than the one before is no progress.
            context.Counters.CopyRestarts++;
        }
        else
        {
            // A target that waits for its turn is not silent.
            replica.CopyProgressAt = now.Ticks;
            if (_sources.Count >= context.Options.CopiesMax)
            {
                _waiting[replica.Id] = (from, replica, ask);
                return;
            }
        }

        var start = ask.Base is { } kept ? StartAfter(replica, kept) : replica.Committed;
        var source = new CopySource(ask, ++_scans, start, now.Ticks) { Furthest = known?.Furthest ?? 0 };
        _sources[replica.Id] = source;
        replica.Followers[from] = new Follower(from)
        {
            Scan = source.Scan,
            Copy = ask.Copy,
            Acked = source.Start,
            Sent = source.Start,
            IsCopied = false,
            TakesEntries = false,
        };
        Send(from, replica, source, now);
    }

    /// <summary>Goes on when chunks have arrived.</summary>
    public void Acked(NodeSlot from, Replica replica, CopyAck ack, Moment now)
    {
        if (!_sources.TryGetValue(replica.Id, out var source)
            || ack.Scan != source.Scan
            || !replica.Followers.TryGetValue(from, out var follower)
            || follower.Scan != source.Scan)
            return;
        if (ack.Next > source.Next)
        {
            context.Counters.Malformed++;
            return;
        }

        if (ack.Next > source.Furthest)
            (source.Furthest, replica.CopyProgressAt) = (ack.Next, now.Ticks);
        source.Acked = Math.Max(source.Acked, ack.Next);
        if (source.Acked > 0 && !follower.TakesEntries)
        {
            follower.TakesEntries = true;
            sender.Queue(replica, follower, now);
        }

        if (source.IsSent && source.Acked == source.Next)
        {
            follower.IsCopied = true;
            End(replica.Id);
            BeginWaiting(now);
            return;
        }

        Send(from, replica, source, now);
    }

    /// <summary>Ends the copy of a partition that nobody joins any more, or that this node no longer has.</summary>
    public void End(PartitionId partition)
    {
        _sources.Remove(partition);
        _waiting.Remove(partition);
    }

    // The network may bring a question twice, and late. A target that has the first chunk of a scan takes no other
    // scan, and one that has none asks again only after a while.
    private bool IsRepeated(NodeSlot from, Replica replica, CopyAsk ask, Moment now)
    {
        if (!replica.Followers.TryGetValue(from, out var follower) || follower.Copy != ask.Copy)
            return false;
        return follower.TakesEntries
            || (_sources.TryGetValue(replica.Id, out var source)
                && now.Ticks - source.BegunAt < context.Times.Resend.Ticks);
    }

    // Two logs of one history that have the same entry have the same entries before it, too. So the base is a beginning
    // of this partition if the log of this node has the entry of the base. Each loss begins another history.
    private bool IsOfThisHistory(Replica replica, BaseMark mark) =>
        mark.LossCount == replica.Entry.LossCount
        && (replica.Log.Contains(mark.Entry) || context.Has(Mutant.BaseWithoutProof));

    private EntryId StartAfter(Replica replica, BaseMark mark) =>
        context.Has(Mutant.BaseWithoutProof) && !replica.Log.Contains(mark.Entry) ? replica.Log.Start : mark.Entry;

    // What changed while a target waited is checked as if it had asked only now.
    private void BeginWaiting(Moment now)
    {
        while (_sources.Count < context.Options.CopiesMax && _waiting.Count > 0)
        {
            var (target, replica, ask) = _waiting.First().Value;
            _waiting.Remove(replica.Id);
            Asked(target, replica, ask, now);
        }
    }

    private void Send(NodeSlot to, Replica replica, CopySource source, Moment now)
    {
        while (!source.IsSent && source.Next - source.Acked < CopySource.ChunksMax)
        {
            _records.Clear();
            source.IsSent = source.IsDifference
                || !context.Records.Scan(replica.Id, source.Cursor, context.Options.CopyBytes, _records);
            source.SentBytes += _records.Sum(record => (long)record.Key.Bytes.Length + record.Value.Length);
            var isFirst = source.Next == 0 && !context.Has(Mutant.RequestsNotCopied);
            context.Effects.Send(to, new CopyChunk(source.Ask, source.Scan, source.Next++, source.Start, [.. _records])
            {
                Requests = isFirst ? replica.Requests.ToImages() : [],
                IsLast = source.IsSent,
                IsDifference = source.IsDifference,
                Time = replica.Clock.At(now.Ticks),
            });
        }
    }
}
