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
    /// <summary>Handles a write. The answer comes as an effect, at once or later.</summary>
    public void Write(Replica replica, in WriteRequest request, object operation, Moment now)
    {
        if (Refusal(replica, now) is { } refusal)
        {
            context.Effects.Complete(operation, new WriteAnswer(refusal));
            return;
        }

        if (request.Request is { } id && AnswerRepeated(replica, id, operation, now))
            return;
        var time = TimeOf(replica, now);

        // A put without a condition replaces any record, so nothing has to be looked up.
        var isPlain = request is { Kind: EntryKind.Put, Expected: null };
        var head = isPlain ? default : FindHead(replica, request.Key, time);
        var isMet = request.Expected is not { } expected || expected == head.Version;
        if (!isMet && request.IsOperation)
            context.Effects.Complete(operation, new WriteAnswer(WriteOutcome.Conflict));
        else if (!isMet || (request.Kind != EntryKind.Put && !head.Exists))
            AnswerUnchanged(replica, request, head, operation, now);
        else if (request.Kind == EntryKind.Put && !context.Records.HasRoom(replica.Id, SizeOf(request)))
            context.Effects.Complete(operation, new WriteAnswer(WriteOutcome.Full));
        else
            Add(replica, EntryOf(replica, request, head, time), operation, AnswerTo(request), now);
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

        if (entry.Removes || (entry.Expiry != 0 && entry.Expiry <= time))
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
    public static long TimeOf(Replica replica, Moment now) => Math.Max(replica.Time, now.Utc);

    /// <summary>Adds an entry to the log, and the operation that waits for it.</summary>
    public void Add(Replica replica, in LogEntry entry, object? operation, in WriteAnswer answer, Moment now)
    {
        replica.HasContent = true;
        replica.Time = Math.Max(replica.Time, entry.Time);
        var full = answer with { Version = VersionAfter(entry) };
        var isAlone = replica.Followers.Count == 0 && replica.Committed == replica.Log.Last;
        if (isAlone && commits.TryCommitAlone(replica, entry))
        {
            if (operation is not null)
                context.Effects.Complete(operation, full);
            return;
        }

        replica.Heads.Add(LogEntryCodec.Read(replica.Log.Append(entry).Bytes));
        if (operation is not null)
            replica.Waiting.Enqueue(new WaitingOperation(operation, full, now.Ticks), entry.Id.Value);
        sender.Queue(replica, now);
        commits.Advance(replica, now);
    }

    private ReadOnlyMemory<byte> ValueOf(Replica replica, in StateKey key, in Head head) =>
        head is { Exists: true, Value: null } && context.Records.TryFind(replica.Id, key, out var record)
            ? record.Value
            : head.Value ?? default;

    private static int SizeOf(in WriteRequest request) => request.Key.Bytes.Length + request.Value.Length;

    private static EntryId VersionAfter(in LogEntry entry) => entry.Kind switch
    {
        EntryKind.Put => entry.Id,
        EntryKind.Touch or EntryKind.Remember => entry.Version,
        _ => default,
    };

    private static WriteAnswer AnswerTo(in WriteRequest request) =>
        new(WriteOutcome.Done) { Flag = true, Result = request.Result };

    private bool AnswerRepeated(Replica replica, in RequestId id, object operation, Moment now)
    {
        switch (replica.Requests.Find(id, out var bytes))
        {
            case RequestVerdict.Answered:
                context.Effects.Complete(operation, WriteAnswer.Decode(bytes));
                return true;
            case RequestVerdict.Forgotten:
                context.Effects.Complete(operation, new WriteAnswer(WriteOutcome.Unknown));
                return true;
        }

        if (!replica.Heads.TryFind(id, out var at))
            return false;
        var entry = LogEntryCodec.Read(replica.Log.At(replica.Log.IndexAfter(at) - 1).Bytes);
        var answer = WriteAnswer.Decode(entry.Result.ToArray());
        replica.Waiting.Enqueue(new WaitingOperation(operation, answer, now.Ticks), at.Value);
        return true;
    }

    // The answer that nothing was changed is remembered as well: the next attempt could otherwise find the condition
    // true after the client was told that it is false.
    private void AnswerUnchanged(
        Replica replica, in WriteRequest request, in Head head, object operation, Moment now)
    {
        var answer = new WriteAnswer(WriteOutcome.Done)
        {
            Version = head.Version,
            Result = request.Result,
        };
        if (request.Request is { } id)
        {
            Add(replica, Remembering(replica, id, answer, now), operation, answer, now);
            return;
        }

        if (head.Uncommitted == default)
            context.Effects.Complete(operation, answer);
        else
            replica.Waiting.Enqueue(new WaitingOperation(operation, answer, now.Ticks), head.Uncommitted.Value);
    }

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
        var id = NextId(replica);
        var entry = new LogEntry(id, request.Kind, request.Key)
        {
            Time = time,
            Expiry = request.Kind == EntryKind.Remove ? 0 : request.Expiry,
            Version = request.Kind == EntryKind.Touch ? head.Version : default,
            Request = request.Request,
            IsOperation = request.IsOperation,
            HasValue = request.Kind == EntryKind.Put,
            Value = request.Kind == EntryKind.Put ? request.Value : default,
        };

        // The target of a copy may not have the record yet, and below an uncommitted put there is no committed value.
        if (request.Kind == EntryKind.Touch && (head.Uncommitted != default || replica.Entry.Joining is not null))
            entry = entry with { HasValue = true, Value = ValueOf(replica, request.Key, head) };
        return request.Request is null
            ? entry
            : entry with { Result = (AnswerTo(request) with { Version = VersionAfter(entry) }).Encode() };
    }
}
