using Cluster.StateStore.Protocol.Appending;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Shards;

/// <summary>Writes of clients at the primary: judged on the newest state, committed or not, and answered when the entry
/// is committed. Used under the shard's lock.</summary>
/// <param name="context">What the parts of the shard share.</param>
/// <param name="commits">Commits entries.</param>
/// <param name="sender">Sends entries.</param>
internal sealed class Writes(ShardContext context, Commits commits, AppendSender sender)
{
    /// <summary>Handles a write.</summary>
    /// <returns>The answer; null: it comes as an effect.</returns>
    public WriteAnswer? Write(Replica replica, in WriteRequest request, object operation, Moment now)
    {
        var hasCopies = replica.Entry.InSync.Count >= request.MinInSync;
        if ((Refusal(replica, now) ?? (hasCopies ? null : WriteOutcome.Busy)) is { } refusal)
            return new WriteAnswer(refusal);
        if (request.Request is { } id && IsRepeated(replica, id, operation, now, out var repeated))
            return repeated;
        var time = TimeOf(replica, now);

        // A put without a condition replaces any record, so nothing has to be looked up.
        var isPlain = request is { Kind: EntryKind.Put, Expected: null };
        var head = isPlain ? default : FindHead(replica, request.Key, time);
        var isMet = request.Expected is not { } expected || expected == head.Version;
        if (!isMet && request.IsOperation)
            return new WriteAnswer(WriteOutcome.Conflict);
        if (!isMet || (request.Kind != EntryKind.Put && !head.Exists))
            return AnswerUnchanged(replica, request, head, operation, now);
        if (request.Kind == EntryKind.Put && !context.Records.HasRoom(replica.Id, SizeOf(request)))
            return new WriteAnswer(WriteOutcome.Full);
        var entry = EntryOf(replica, request, head, time);
        var answer = new WriteAnswer(WriteOutcome.Done)
        {
            Flag = true,
            Version = VersionAfter(entry),
            Result = request.Result,
            IsResultLeftOut = request.IsResultLeftOut,
        };
        if (request.Request is not null)
            entry = entry with { Result = answer.Encode() };
        var waiting = new WaitingOperation(operation, answer, now.Ticks) { MinInSync = request.MinInSync };
        return Add(replica, entry, waiting, now);
    }

    /// <summary>Ends the wait of operations whose entries were not committed for too long. They may still be
    /// committed.</summary>
    public void GiveUp(Replica replica, Moment now)
    {
        while (replica.Waiting.TryPeek(out var waiting, out _)
            && now.Ticks - waiting.Since >= context.Times.WriteWait.Ticks)
        {
            replica.Waiting.Dequeue();
            context.Effects.Complete(waiting.Operation, new WriteAnswer(WriteOutcome.Unknown));
        }
    }

    /// <summary>Returns why the partition takes no write now; null: it does.</summary>
    public WriteOutcome? Refusal(Replica replica, Moment now)
    {
        if (!replica.IsPrimary)
            return WriteOutcome.Moved;
        var isOpen = replica.Phase == Phase.Serving && replica.ClosedSince is null;
        return isOpen && context.HasLease(replica, now.Ticks) && !context.Log.IsFull ? null : WriteOutcome.Busy;
    }

    /// <summary>Returns the newest state of a key; a record whose life is over counts as none.</summary>
    public Head FindHead(Replica replica, in StateKey key, long time)
    {
        if (!replica.Heads.TryFind(key, out var entry))
        {
            return context.Records.TryPeek(replica.Id, key, out var record) && !record.IsOver(time)
                ? new Head(true, record.Version, record.Expiry)
                : default;
        }

        if (entry.Removes || LifeEnd.IsOver(entry.Expiry, time))
            return new Head { Uncommitted = entry.Id };
        if (entry.Kind == EntryKind.Put || entry.HasValue)
        {
            var version = entry.Kind == EntryKind.Put ? entry.Id : entry.Version;
            return new Head(true, version, entry.Expiry) { Uncommitted = entry.Id, Value = entry.Value };
        }

        // A touch without a value has a committed record below it.
        return context.Records.TryPeek(replica.Id, key, out var touched)
            ? new Head(true, touched.Version, entry.Expiry) { Uncommitted = entry.Id }
            : new Head { Uncommitted = entry.Id };
    }

    /// <summary>Returns the newest state of a key with its value.</summary>
    public Head FindHeadWithValue(Replica replica, in StateKey key, long time)
    {
        if (!replica.Heads.Has(key))
        {
            return context.Records.TryFind(replica.Id, key, out var record) && !record.IsOver(time)
                ? new Head(true, record.Version, record.Expiry) { Value = record.Value }
                : default;
        }

        var head = FindHead(replica, key, time);
        return head with { Value = ValueOf(replica, key, head) };
    }

    /// <summary>Returns the partition time.</summary>
    public static long TimeOf(Replica replica, Moment now) => replica.Clock.At(now.Ticks);

    /// <summary>Adds an entry to the log, and the operation that waits for it, if there is one.</summary>
    /// <returns>The answer if the entry is committed; null: it comes as an effect.</returns>
    public WriteAnswer? Add(Replica replica, in LogEntry entry, in WaitingOperation waiting, Moment now)
    {
        replica.HasContent = true;
        replica.Clock.Gave(entry.Time);
        var isAlone = replica.Followers.Count == 0 && replica.Committed == replica.Log.Last;
        if (isAlone && commits.TryCommitAlone(replica, entry))
            return waiting.Answer;
        replica.Heads.Add(LogEntryCodec.Read(replica.Log.Append(entry).Bytes));
        if (waiting.Operation is not null)
            replica.Waiting.Enqueue(waiting, entry.Id.Value);
        sender.Queue(replica, now);
        commits.Advance(replica, now);
        return null;
    }

    private ReadOnlyMemory<byte> ValueOf(Replica replica, in StateKey key, in Head head) =>
        head is { Exists: true, Value: null } && context.Records.TryFind(replica.Id, key, out var record)
            ? record.Value
            : head.Value ?? default;

    private static int SizeOf(in WriteRequest request) => request.Key.Bytes.Length + request.Value.Length;

    private static EntryId VersionAfter(in LogEntry entry) => entry.Kind switch
    {
        EntryKind.Put => entry.Id,
        EntryKind.Touch => entry.Version,
        _ => default,
    };

    private static bool IsRepeated(
        Replica replica, in RequestId id, object operation, Moment now, out WriteAnswer? answer)
    {
        answer = replica.Requests.Find(id, out var bytes) switch
        {
            RequestVerdict.Answered => WriteAnswer.Decode(bytes),
            RequestVerdict.Forgotten => new WriteAnswer(WriteOutcome.Unknown),
            _ => null,
        };
        if (answer is not null)
            return true;
        if (!replica.Heads.TryFind(id, out var at))
            return false;
        var entry = LogEntryCodec.Read(replica.Log.At(replica.Log.IndexAfter(at) - 1).Bytes);
        var waiting = new WaitingOperation(operation, WriteAnswer.Decode(entry.Result.ToArray()), now.Ticks);
        replica.Waiting.Enqueue(waiting, at.Value);
        return true;
    }

    // The answer that nothing was changed is remembered as well: the next attempt could otherwise find the condition
    // true after the client was told that it is false.
    private WriteAnswer? AnswerUnchanged(
        Replica replica, in WriteRequest request, in Head head, object operation, Moment now)
    {
        var answer = new WriteAnswer(WriteOutcome.Done)
        {
            Version = head.Version,
            Result = request.Result,
        };
        var waiting = new WaitingOperation(operation, answer, now.Ticks);
        if (request.Request is { } id)
            return Add(replica, Remembering(replica, id, answer, now), waiting, now);
        if (head.Uncommitted == default)
            return answer;
        replica.Waiting.Enqueue(waiting, head.Uncommitted.Value);
        return null;
    }

    private static long ExpiryAfter(in WriteRequest request, in Head head, long time) => request switch
    {
        { Kind: EntryKind.Remove } => 0,
        { Renews: true } when LifeEnd.IsSliding(head.Expiry) => LifeEnd.Renew(head.Expiry, time),
        _ => request.Expiry,
    };

    private static LogEntry Remembering(Replica replica, in RequestId id, in WriteAnswer answer, Moment now) =>
        new(NextId(replica), EntryKind.Remember, default)
        {
            Time = TimeOf(replica, now),
            Version = answer.Version,
            Request = id,
            Result = answer.Encode(),
        };

    private static EntryId NextId(Replica replica) => replica.Log.Last.Next(replica.Entry.Epoch.Value);

    private LogEntry EntryOf(Replica replica, in WriteRequest request, in Head head, long time)
    {
        var (isPut, isTouch) = (request.Kind == EntryKind.Put, request.Kind == EntryKind.Touch);

        // The target of a copy may not have the record yet, and below an uncommitted put there is no committed value.
        var isWhole = isTouch && (head.Uncommitted != default || replica.Entry.Joining is not null);
        return new LogEntry(NextId(replica), request.Kind, request.Key)
        {
            Time = time,
            Expiry = ExpiryAfter(request, head, time),
            Version = isTouch ? head.Version : default,
            Request = request.Request,
            IsOperation = request.IsOperation,
            HasValue = isPut || isWhole,
            Value = isPut ? request.Value : isWhole ? ValueOf(replica, request.Key, head) : default,
        };
    }
}
