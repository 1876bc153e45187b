using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Protocol.Appending;

/// <summary>Decides what is committed, and applies it. Used under the shard's lock.</summary>
/// <param name="context">What the parts of the shard share.</param>
internal sealed class Commits(ShardContext context)
{
    /// <summary>Commits what all needed members have, and opens a new primary when its tail is committed.</summary>
    public void Advance(Replica replica, Moment now)
    {
        if (!replica.IsPrimary)
            return;
        var (until, haveAll) = (replica.Log.Last, true);
        foreach (var follower in replica.Followers.Values)
        {
            if (!IsNeeded(replica, follower, now))
                continue;
            haveAll &= follower.HasAcked;
            until = EntryId.Min(until, follower.HasAcked ? follower.Acked : default);
        }

        if (until > replica.Committed)
            CommitTo(replica, until, now);
        var isLoading = replica.Restoration is { IsLoading: true } && !context.Has(Mutant.ServeWhileLoading);
        var isReady = haveAll && !isLoading;
        if (replica.Phase == Phase.Promoting && isReady && replica.Committed >= replica.PromotedUntil)
            replica.Phase = Phase.Serving;
    }

    /// <summary>Commits everything up to an entry of the log.</summary>
    public void CommitTo(Replica replica, EntryId until, Moment now)
    {
        Invariant.Check(until <= replica.Log.Last, "I3", $"{until} is committed, the log ends at {replica.Log.Last}");
        for (var index = replica.Log.IndexAfter(replica.Committed); index < replica.Log.Count; index++)
        {
            var logged = replica.Log.At(index);
            if (logged.Id > until)
                break;

            // Others have filled the pile since the entry was taken. It is tried again, and stays in the log.
            var entry = LogEntryCodec.Read(logged.Bytes);
            if (!TryApply(replica, entry))
                break;
            replica.Heads.Committed(entry);
            replica.Committed = logged.Id;
        }

        MarkCommitted(replica);

        while (replica.Waiting.TryPeek(out var waiting, out var at) && at <= replica.Committed.Value)
        {
            replica.Waiting.Dequeue();
            var isSafe = replica.Entry.InSync.Count >= waiting.MinInSync;
            context.Effects.Complete(
                waiting.Operation, isSafe ? waiting.Answer : new WriteAnswer(WriteOutcome.Unknown));
        }

        Trim(replica);
    }

    /// <summary>Commits an entry that no other member needs. It is applied at once, and the log keeps its id alone, if
    /// no member can come back for it.</summary>
    /// <returns>False if there is no room; nothing was changed.</returns>
    public bool TryCommitAlone(Replica replica, in LogEntry entry)
    {
        if (!TryApply(replica, entry))
            return false;
        if (context.Log.Keeps && replica.WantsBackups)
            replica.Log.Append(entry);
        else
            replica.Log.Skip(entry.Id);
        replica.Committed = entry.Id;
        MarkCommitted(replica);
        Trim(replica);
        return true;
    }

    /// <summary>Notes that everything is there that is committed. The target of a copy has more and less than that.
    /// </summary>
    public void MarkCommitted(Replica replica)
    {
        if (replica.Phase != Phase.Copying)
            context.Mark(replica, replica.Committed);
    }

    /// <summary>Forgets the entries that no member needs any more.</summary>
    public static void Trim(Replica replica)
    {
        var until = replica.Committed;
        foreach (var follower in replica.Followers.Values)
            until = EntryId.Min(until, follower.Base(replica.Log.Start));
        replica.Log.TrimTo(until);
    }

    private bool TryApply(Replica replica, in LogEntry entry)
    {
        if (context.Has(Mutant.MarkBeforeRecords) && replica.Phase != Phase.Copying)
            context.Mark(replica, entry.Id);
        if (entry.Kind != EntryKind.Remember && !ApplyRecord(replica, entry))
            return false;
        if (entry.Request is { } request)
            replica.Requests.Remember(request, entry.Result.Span, entry.Time);
        if (replica.IsPrimary && context.Options.Changes is { IsWatching: true } watchers)
            watchers.Applied(replica, entry);
        replica.HasContent = true;
        return true;
    }

    private bool ApplyRecord(Replica replica, in LogEntry entry)
    {
        var keepsTombstone = replica.Phase == Phase.Copying;
        return context.Has(Mutant.RunAgainOnBackups) && !replica.IsPrimary && entry.IsOperation
            ? context.Records.Apply(replica.Id, Replayed(replica, entry), keepsTombstone)
            : context.Records.Apply(replica.Id, entry, keepsTombstone);
    }

    // The log has what became of the record. Running the operation again can give another value.
    private LogEntry Replayed(Replica replica, in LogEntry entry)
    {
        var isKnown = context.Records.TryFind(replica.Id, entry.Key, out var record);
        return entry with { Value = context.Options.RunAgain!(entry, isKnown ? record : null) };
    }

    private bool IsNeeded(Replica replica, Follower follower, Moment now)
    {
        if (!replica.Needs(follower.Slot))
            return false;
        if (context.Has(Mutant.JoinWithoutTarget) && !replica.Entry.InSync.Items.Contains(follower.Slot))
            return false;
        return !context.Has(Mutant.AcknowledgeAfterTimeout)
            || !(now.Ticks - follower.WaitingSince >= context.Times.Append.Ticks);
    }
}
