using Cluster.Pile.Hosting;
using Cluster.StateStore.Engine.Loads;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Engine;

/// <summary>Operations on keys at the node that is the primary of their partitions, for callers on this node and on
/// others. Thread-safe.</summary>
/// <param name="engine">The engine.</param>
/// <param name="options">Clock and limits.</param>
internal sealed class OwnerOperations(NodeEngine engine, NodeStateStoreOptions options)
{
    // A larger result of an operation is not remembered for a repeated request.
    private const int ResultBytesKept = 1_024;

    private const int RecordBytesExpected = 1_000;

    // An odd number, so that the seeds of all operations differ.
    private const int SeedStep = unchecked((int)0x9E3779B1);

    /// <summary>How long a caller may take to load a value, before another caller may.</summary>
    public static readonly TimeSpan LoadTime = TimeSpan.FromSeconds(30);

    // A caller that waits for another one asks again after this time.
    private static readonly TimeSpan LoadWait = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan CommitWait = TimeSpan.FromMilliseconds(20);

    private int _seed = options.Seed;

    /// <summary>Reads the value of a key as the mode asks.</summary>
    public ValueTask<OwnerRead> ReadAsync(in HashedKey key, PartitionId partition, StateReads reads)
    {
        if (reads.IsStrict)
            return ReadStrictAsync(key, partition);
        if (reads.MaxAge > TimeSpan.Zero)
            return ReadStaleAsync(key, partition, reads.MaxAge);
        var result = Read(key, partition, out var record);
        return new(new OwnerRead(result, record));
    }

    /// <summary>Reads the newest value of a key. The caller disposes the record.</summary>
    public StateResult Read(in HashedKey key, PartitionId partition, out RentedRecord record)
    {
        var outcome = Read(key, partition, maxAge: default, out record);
        if (record.Exists && LifeEnd.IsSliding(record.Stamp.Time))
            Renew(key, partition, record.Stamp);
        return ResultOf(outcome, record);
    }

    /// <summary>Reads the next values of a partition.</summary>
    /// <param name="target">State, partition and place.</param>
    /// <param name="page">The values; null: the partition is not read here.</param>
    public StateResult Scan(in ScanTarget target, out ScanPage? page)
    {
        var outcome = engine.Scan(target, out var cursor, out var records);
        page = outcome == WriteOutcome.Done ? new ScanPage(ScanFormat.Write(records), cursor) : null;
        return ResultOf(outcome, 0);
    }

    /// <summary>Reads the value of a key; where it is missing, gives the caller the right to load it, or waits a while
    /// for the caller that has it.</summary>
    public async ValueTask<OwnerRead> LoadAsync(LoadTarget target, CancellationToken cancellationToken)
    {
        var (key, partition) = (target.Key, target.Partition);
        if (target.GivesUp)
        {
            engine.Look(target, static (parts, ended) => parts.Loads.End(ended.Key.Key, ended.Token));
            return new OwnerRead(StateResult.NotFound, default);
        }

        for (var isFirst = true; ; isFirst = false)
        {
            var result = Read(key, partition, out var record);
            if (result.Status != StateReplyStatus.NotFound)
                return new OwnerRead(result, record);
            record.Dispose();
            var (outcome, other) = engine.Look(target, BeginLoad);
            if (outcome != WriteOutcome.Conflict)
            {
                var answer = outcome == WriteOutcome.Done ? StateResult.NotFound : StateResult.NotReady;
                return new OwnerRead(answer, default);
            }

            if (!isFirst || !await HasEndedAsync(other, cancellationToken).ConfigureAwait(false))
                return new OwnerRead(StateResult.Loading, default);
        }
    }

    /// <summary>Carries out a write that needs no user code.</summary>
    public ValueTask<StateResult> WriteAsync(in StateWrite write)
    {
        var partition = write.Partition;
        var time = write.Expiry.IsRelative ? engine.TimeOf(partition) : 0;

        // A partition that is about to begin here has no time yet. The end of a life would be in the past without it,
        // and a write that is carried out a moment later would be acknowledged and gone.
        if (write.Expiry.IsRelative && time == 0)
            return new(ResultOf(engine.IsPrimary(partition) ? WriteOutcome.Busy : WriteOutcome.Moved, 0));
        var request = new WriteRequest(partition, KindOf(write.Verb), write.Key.Key)
        {
            Value = write.Value,
            Expiry = write.Expiry.ResolveTicks(time),
            Renews = write.Renews,
            LoadToken = write.LoadToken,
            MinInSync = write.MinInSync,
            Request = write.Request,
            Expected = write.Verb == StateVerb.PutIfVersion ? new EntryId((ulong)write.ExpectedVersion) : null,
        };
        var answer = engine.WriteAsync(request);
        return answer.IsCompletedSuccessfully
            ? new(ResultOf(answer.Result, needsFlag: true))
            : AwaitAsync(answer);
    }

    /// <summary>Runs a change by user code on the newest value. When another write of the key comes first, the code
    /// runs again on what that write has left.</summary>
    public async ValueTask<StateResult> ChangeAsync(RecordChange change, CancellationToken cancellationToken)
    {
        var partition = change.Partition;
        var started = options.Time.GetTimestamp();
        for (var isFirst = true; ; isFirst = false)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (ReadHead(change.Key, partition, isFirst) is not { } head)
                return ResultOf(engine.IsPrimary(partition) ? WriteOutcome.Busy : WriteOutcome.Moved, 0);
            using (head)
            {
                var answer = await RunAsync(change, partition, head).ConfigureAwait(false);
                if (answer.Outcome != WriteOutcome.Conflict)
                    return ResultOf(change, answer);
            }

            if (options.Time.GetElapsedTime(started) >= options.MaxKeyWait)
                return StateResult.Busy;
        }
    }

    // Done if the caller has the right to load, conflict if it has not, busy if the partition takes no writes. The task
    // ends with the right of the other caller.
    private static (WriteOutcome Outcome, Task? Other) BeginLoad(EngineParts parts, LoadTarget target)
    {
        var (key, now) = (target.Key.Key, parts.Now);
        if (!parts.IsOpen || parts.Shard.ReadHead(target.Partition, key, now) is not { } head)
            return (WriteOutcome.Busy, null);
        if (head.Exists)
            return (WriteOutcome.Conflict, null);
        var other = parts.Loads.Begin(key, target.Token, now.Ticks + LoadTime.Ticks, now);
        return (other is null ? WriteOutcome.Done : WriteOutcome.Conflict, other);
    }

    // Without another caller, a write of the value is not committed yet, which takes no long time.
    private async ValueTask<bool> HasEndedAsync(Task? other, CancellationToken cancellationToken)
    {
        var isCommit = other is null;
        using var pause = new CancellationTokenSource(isCommit ? CommitWait : LoadWait, options.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(pause.Token, cancellationToken);
        try
        {
            other ??= Task.Delay(Timeout.InfiniteTimeSpan, options.Time, either.Token);
            await other.WaitAsync(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return isCommit;
        }

        return true;
    }

    private static StateResult ResultOf(WriteOutcome outcome, in RentedRecord record) =>
        outcome == WriteOutcome.Done && !record.Exists
            ? StateResult.NotFound
            : ResultOf(outcome, record.Exists ? record.Stamp.Version : 0);

    private async ValueTask<OwnerRead> ReadStrictAsync(HashedKey key, PartitionId partition)
    {
        var outcome = await engine.ConfirmAsync(partition).ConfigureAwait(false);
        if (outcome != WriteOutcome.Done)
            return new OwnerRead(ResultOf(outcome, 0), default);
        var result = Read(key, partition, out var record);
        return new OwnerRead(result, record);
    }

    private async ValueTask<OwnerRead> ReadStaleAsync(HashedKey key, PartitionId partition, TimeSpan maxAge)
    {
        var outcome = Read(key, partition, maxAge, out var record);
        if (outcome != WriteOutcome.Done)
        {
            record.Dispose();
            outcome = await engine.RefreshAsync(partition, maxAge).ConfigureAwait(false);
            if (outcome != WriteOutcome.Done)
                return new OwnerRead(ResultOf(outcome, 0), default);
            outcome = Read(key, partition, maxAge, out record);
        }

        if (!record.Exists || !LifeEnd.NeedsRenewal(record.Stamp.Time, engine.TimeOf(partition)))
            return new OwnerRead(ResultOf(outcome, record), record);

        // Only the owner can start the window of a value anew.
        var stamp = record.Stamp;
        if (engine.IsPrimary(partition))
        {
            Renew(key, partition, stamp);
            return new OwnerRead(ResultOf(outcome, record), record);
        }

        record.Dispose();
        return new OwnerRead(StateResult.NotReady, default);
    }

    private WriteOutcome Read(in HashedKey key, PartitionId partition, TimeSpan maxAge, out RentedRecord record)
    {
        var array = ArrayPool<byte>.Shared.Rent(RecordBytesExpected);
        while (true)
        {
            var outcome = maxAge == default
                ? engine.Read(key, partition, array, out var length)
                : engine.ReadStale(key, partition, maxAge, array, out length);
            if (length <= array.Length)
            {
                record = new RentedRecord(array, length);
                return outcome;
            }

            ArrayPool<byte>.Shared.Return(array);
            array = ArrayPool<byte>.Shared.Rent(length);
        }
    }

    private static StateResult ResultOf(RecordChange change, in WriteAnswer answer)
    {
        if (answer is { IsRepeated: true, IsResultLeftOut: true })
            return StateResult.ResultNotKept;
        if (answer.IsRepeated)
            change.Result = answer.Result.ToArray();
        return ResultOf(answer, needsFlag: false);
    }

    private ValueTask<WriteAnswer> RunAsync(RecordChange change, PartitionId partition, in HeadCopy head)
    {
        var seed = Interlocked.Add(ref _seed, SeedStep);
        var context = new OperationContext(new DateTimeOffset(head.Time, TimeSpan.Zero), seed);
        using var value = OperationScope.Run(change, head.Value, context);
        var isKept = change.Request is not null && change.Result.Length <= ResultBytesKept;
        return engine.WriteAsync(new WriteRequest(
            partition, value is null ? EntryKind.Remove : EntryKind.Put, change.Key.Key)
        {
            Value = value?.Written ?? default,
            Expiry = head.Exists ? LifeEnd.Renew(head.Expiry, head.Time) : change.Expiry.ResolveTicks(head.Time),
            Expected = head.Version,
            IsOperation = true,
            MinInSync = change.MinInSync,
            Request = change.Request,
            Result = isKept ? change.Result : default,
            IsResultLeftOut = !isKept,
        });
    }

    // Without backups the committed record is mostly the newest one, and is read without the engine's lock. Where it is
    // not, the write is in conflict, and the next attempt takes the lock. So does one before the partition has a time.
    private HeadCopy? ReadHead(in HashedKey key, PartitionId partition, bool isFirst)
    {
        var time = engine.TimeOf(partition);
        if (!isFirst || time == 0 || engine.IsReplicated(partition))
            return engine.ReadHead(partition, key.Key);
        var status = Read(key, partition, out var record).Status;
        if (status is StateReplyStatus.Done or StateReplyStatus.NotFound)
            return HeadCopy.Of(record, time);
        record.Dispose();
        return engine.ReadHead(partition, key.Key);
    }

    // The reader does not wait: when the write is not carried out, the next access starts the window anew.
    private void Renew(in HashedKey key, PartitionId partition, in RecordStamp stamp)
    {
        if (LifeEnd.NeedsRenewal(stamp.Time, engine.TimeOf(partition)))
            _ = RenewAsync(key.Key, partition, new EntryId(stamp.Version));
    }

    private async Task RenewAsync(StateKey key, PartitionId partition, EntryId version) => await engine
        .WriteAsync(new WriteRequest(partition, EntryKind.Touch, key) { Expected = version, Renews = true })
        .ConfigureAwait(false);

    private static EntryKind KindOf(StateVerb verb) => verb switch
    {
        StateVerb.Remove => EntryKind.Remove,
        StateVerb.Touch => EntryKind.Touch,
        _ => EntryKind.Put,
    };

    private static async ValueTask<StateResult> AwaitAsync(ValueTask<WriteAnswer> answer) =>
        ResultOf(await answer.ConfigureAwait(false), needsFlag: true);

    private static StateResult ResultOf(in WriteAnswer answer, bool needsFlag) =>
        answer.Outcome == WriteOutcome.Conflict || (needsFlag && answer is { Outcome: WriteOutcome.Done, Flag: false })
            ? StateResult.NotFound
            : ResultOf(answer.Outcome, answer.Version.Value);

    private static StateResult ResultOf(WriteOutcome outcome, ulong version) => outcome switch
    {
        WriteOutcome.Done => StateResult.Done(version),
        WriteOutcome.Moved => StateResult.Moved,
        WriteOutcome.Full => StateResult.Full,
        WriteOutcome.Unknown => StateResult.Unknown,
        _ => StateResult.NotReady,
    };
}
