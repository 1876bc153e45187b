using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Protocol.Appending;

/// <summary>Lets backups answer reads that may be old: a backup asks the primary how far it has committed, and from the
/// moment of the question on it knows how old its content is. One question serves all reads of the partition until the
/// content is too old for them. Used under the shard's lock.</summary>
/// <param name="context">What the parts of the shard share.</param>
/// <param name="commits">Commits entries.</param>
internal sealed class StaleReads(ShardContext context, Commits commits)
{
    /// <summary>Begins a read that accepts a content of an age.</summary>
    /// <returns>The outcome; null: it comes as an effect.</returns>
    public WriteOutcome? Ask(Replica replica, TimeSpan maxAge, object operation, Moment now)
    {
        if (replica.Phase == Phase.Serving)
            return context.HasLease(replica, now.Ticks) ? WriteOutcome.Done : WriteOutcome.Busy;
        if (replica.Phase != Phase.InSync)
            return replica.IsPrimary ? WriteOutcome.Busy : WriteOutcome.Moved;
        if (replica.Freshness.IsWithin(maxAge.Ticks, now.Ticks, context.Leases.StartedAt))
            return WriteOutcome.Done;
        replica.Freshness.Waiting.Add((operation, maxAge.Ticks, now.Ticks));
        if (replica.Freshness.AskedAt is null)
            Send(replica, now);
        return null;
    }

    /// <summary>Answers a backup, if this node may answer reads.</summary>
    public void Asked(NodeSlot from, Replica replica, CommitAsk ask, Moment now)
    {
        if (replica.Phase == Phase.Serving
            && replica.Entry.Epoch.Value == ask.Epoch
            && replica.Entry.InSync.Items.Contains(from)
            && context.HasLease(replica, now.Ticks))
            context.Effects.Send(from, new CommitTold(ask, replica.Committed, replica.Clock.At(now.Ticks)));
        else
            context.Counters.OtherEpoch++;
    }

    /// <summary>Takes the answer of the primary.</summary>
    public void Told(NodeSlot from, Replica replica, CommitTold told, Moment now)
    {
        var ask = told.Ask;
        if (replica.Phase != Phase.InSync
            || from != replica.Entry.Primary
            || ask.Epoch != replica.Entry.Epoch.Value
            || ask.SentAt > now.Ticks)
        {
            context.Counters.OtherEpoch++;
            return;
        }

        // The log up to here is that of the primary, so what the primary has committed of it is committed.
        var known = EntryId.Min(told.Committed, replica.Matched);
        if (known > replica.Committed)
            commits.CommitTo(replica, known, now);
        replica.Freshness.AskedAt = null;
        if (replica.Committed >= told.Committed && !(ask.SentAt <= replica.Freshness.At))
        {
            replica.Freshness.At = context.Has(Mutant.AgeFromReceipt) ? now.Ticks : ask.SentAt;
            replica.Clock.Told(told.Time, now.Ticks);
        }

        Serve(replica, now);
        if (replica.Freshness.Waiting.Count > 0)
            Send(replica, now);
    }

    /// <summary>Asks again where the answer did not come, and ends reads that waited too long.</summary>
    public void Tick(Replica replica, Moment now)
    {
        if (replica.Freshness.Waiting.Count == 0)
            return;
        if (replica.Phase != Phase.InSync)
        {
            Cancel(replica, WriteOutcome.Moved);
            return;
        }

        var waiting = replica.Freshness.Waiting;
        for (var index = waiting.Count - 1; index >= 0; index--)
        {
            if (now.Ticks - waiting[index].Since < context.Times.Append.Ticks)
                continue;
            context.Effects.Complete(waiting[index].Operation, new WriteAnswer(WriteOutcome.Busy));
            waiting.RemoveAt(index);
        }

        if (waiting.Count > 0 && now.Ticks - replica.Freshness.AskedAt >= context.Times.Resend.Ticks)
            Send(replica, now);
    }

    /// <summary>Ends all reads that wait.</summary>
    public void Cancel(Replica replica, WriteOutcome outcome)
    {
        foreach (var (operation, _, _) in replica.Freshness.Waiting)
            context.Effects.Complete(operation, new WriteAnswer(outcome));
        replica.Freshness.Waiting.Clear();
    }

    private void Serve(Replica replica, Moment now)
    {
        var waiting = replica.Freshness.Waiting;
        for (var index = waiting.Count - 1; index >= 0; index--)
        {
            if (!replica.Freshness.IsWithin(waiting[index].MaxAge, now.Ticks, context.Leases.StartedAt))
                continue;
            context.Effects.Complete(waiting[index].Operation, new WriteAnswer(WriteOutcome.Done));
            waiting.RemoveAt(index);
        }
    }

    private void Send(Replica replica, Moment now)
    {
        if (replica.Entry.Primary is not { } primary)
            return;
        replica.Freshness.AskedAt = now.Ticks;
        context.Effects.Send(primary, new CommitAsk(replica.Id, replica.Entry.Epoch.Value, now.Ticks));
    }
}
