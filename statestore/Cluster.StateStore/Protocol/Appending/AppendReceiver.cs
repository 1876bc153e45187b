using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Protocol.Appending;

/// <summary>Takes the entries of primaries into the logs of this node's backups. Used under the shard's lock.</summary>
/// <param name="context">What the parts of the shard share.</param>
/// <param name="commits">Applies what is committed.</param>
internal sealed class AppendReceiver(ShardContext context, Commits commits)
{
    /// <summary>Handles a frame and answers it.</summary>
    /// <param name="from">The sender.</param>
    /// <param name="frame">The frame.</param>
    /// <param name="now">The moment.</param>
    /// <param name="find">Finds a replica; null for a partition of another shard or of none.</param>
    /// <param name="tableVersion">The table that this node knows.</param>
    public void Receive(
        NodeSlot from, AppendFrame frame, Moment now, Func<PartitionId, Replica?> find, long tableVersion)
    {
        var answers = ImmutableArray.CreateBuilder<AckItem>(frame.Items.Length);
        foreach (var item in frame.Items)
        {
            if (find(item.Partition) is not { } replica)
            {
                context.Counters.Malformed++;
                continue;
            }

            var verdict = Judge(from, replica, item);
            if (verdict == AppendVerdict.Taken)
                verdict = Take(replica, item, now);
            var matched = verdict == AppendVerdict.Gap
                ? EntryId.Max(replica.Committed, replica.Matched)
                : replica.Matched;
            if (verdict == AppendVerdict.Taken && context.Has(Mutant.NoEpochCheck))
                matched = item.Entries.IsEmpty ? item.Previous : item.Entries[^1].Id;
            answers.Add(new AckItem(item.Partition, item.Epoch, verdict, matched, item.Scan));
        }

        context.Effects.Send(from, new AckFrame(frame.Number, tableVersion, answers.DrainToImmutable()));
    }

    private AppendVerdict Judge(NodeSlot from, Replica replica, AppendItem item)
    {
        if (item.Epoch != replica.Entry.Epoch.Value && !context.Has(Mutant.NoEpochCheck))
        {
            context.Counters.OtherEpoch++;
            return AppendVerdict.OtherEpoch;
        }

        if (from != replica.Entry.Primary && !context.Has(Mutant.NoEpochCheck))
        {
            context.Counters.Malformed++;
            return AppendVerdict.NotHere;
        }

        return replica.Phase switch
        {
            Phase.InSync => AppendVerdict.Taken,
            Phase.Promoting or Phase.Serving when context.Has(Mutant.NoEpochCheck) => AppendVerdict.Taken,
            Phase.Copying when replica.Copy is { Scan: not 0 } copy && copy.Scan == item.Scan => AppendVerdict.Taken,
            _ => AppendVerdict.NotHere,
        };
    }

    // An entry is the same on all nodes, and so is everything before it. So the log is cut only where the primary has
    // another entry than this node: what the primary has not sent yet may be committed.
    private AppendVerdict Take(Replica replica, AppendItem item, Moment now)
    {
        var log = replica.Log;
        if (item.Previous > replica.Committed && !log.Contains(item.Previous))
            return AppendVerdict.Gap;
        var at = item.Previous;
        foreach (var entry in item.Entries)
        {
            if (entry.Id <= at)
            {
                context.Counters.Malformed++;
                return AppendVerdict.Gap;
            }

            if (entry.Id > replica.Committed && !log.Contains(entry.Id))
            {
                // A log that leaves out what is committed is none of this partition.
                if (at < replica.Committed && !context.Has(Mutant.NoEpochCheck))
                {
                    context.Counters.Malformed++;
                    return AppendVerdict.Gap;
                }

                if (!context.Records.HasRoom(replica.Id, entry.Bytes.Length) || context.Log.IsFull)
                    return AppendVerdict.Full;
                if (log.Last > at)
                    Cut(replica, at);
                log.Append(entry);
                if (replica.Phase == Phase.Copying)
                    context.Counters.CopyBytesReceived += entry.Bytes.Length;
                replica.HasContent = true;
                replica.Clock.Told(LogEntryCodec.TimeOf(entry.Bytes.Span), now.Ticks);
            }

            at = entry.Id;
        }

        replica.Matched = EntryId.Max(replica.Matched, at);
        var committed = EntryId.Min(item.Committed, replica.Matched);
        if (committed > replica.Committed)
            commits.CommitTo(replica, committed, now);
        return AppendVerdict.Taken;
    }

    private void Cut(Replica replica, EntryId after)
    {
        var keep = EntryId.Max(after, replica.Committed);
        Invariant.Check(
            after >= replica.Committed || context.Has(Mutant.NoEpochCheck),
            "I3",
            $"partition {replica.Id}: the log is cut after {after}, but {replica.Committed} is committed");
        replica.Log.CutAfter(keep);
    }
}
