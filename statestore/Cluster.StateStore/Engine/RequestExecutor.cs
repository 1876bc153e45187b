using Cluster.Slim.Messages;
using Cluster.StateStore.Engine.Loads;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Engine;

/// <summary>Turns requests of other nodes into operations, and their outcomes into replies. Checks every field of a
/// request, because it comes from outside. A newer epoch in a request changes nothing here: the host gets it and asks
/// the cluster store. Stateless.</summary>
/// <param name="catalog">The states.</param>
/// <param name="hash">The hash of the cluster.</param>
/// <param name="operations">Carries operations out.</param>
/// <param name="view">The node's view of the table.</param>
/// <param name="options">The node.</param>
internal sealed class RequestExecutor(
    StateCatalog catalog, PartitionHash hash, OwnerOperations operations, ITableView view,
    NodeStateStoreOptions options)
{
    public const string FullText = "the owner's pile is full (PileBudgetBytes); nothing was changed";
    public const string BusyText =
        "other writes of the key came first again and again (MaxKeyWait); nothing was changed";

    public const string NotKeptText =
        "an earlier attempt of the operation was carried out; its result was too large to be kept";

    public const string LostText = "the owner has lost the partition while the write waited for its backups";

    /// <summary>Says that too few nodes have a copy of a partition; null: enough have one.</summary>
    public static string? DescribeCopies(PartitionRoute route, StateDefinition state) =>
        route.Entry.InSync.Count is var count && count < state.MinInSync
            ? $"{count} of the {state.MinInSync} copies that MinInSync asks for are there"
            : null;

    public async ValueTask<StateReply> ExecuteAsync(StateRequest request, CancellationToken cancellationToken)
    {
        if (IsForeign(request))
            return AnswerForeigner(request);
        if (FindMalformation(request, out var key, out var expiry) is { } malformation)
            return Refuse(malformation);
        if (!catalog.TryFind(request.StateId, out var ordinal))
            return Refuse($"the state with id {request.StateId:x8} is not registered on this node");
        var state = catalog[ordinal];
        if (IsOfAnotherSet(request, state))
            return Refuse($"partition {request.Partition} is none of state '{state.Name}'");
        if (view.RouteOf(new PartitionId(request.Partition)).Entry.Epoch < new Epoch(request.Epoch))
            return Reply(request, StateResult.NotReady, default);
        var target = new ChangeTarget(key, new PartitionId(request.Partition), state.Resolve(expiry))
        {
            MinInSync = state.MinInSync,
            Request = IdOf(request),
        };
        return request.Verb switch
        {
            StateVerb.Get => await GetAsync(request, key).ConfigureAwait(false),
            StateVerb.Scan => Scan(request),
            StateVerb.Load => await LoadAsync(request, key, cancellationToken).ConfigureAwait(false),
            StateVerb.Update => await UpdateAsync(request, state, target, cancellationToken).ConfigureAwait(false),
            _ => await WriteAsync(request, state, target).ConfigureAwait(false),
        };
    }

    private static RequestId? IdOf(StateRequest request) => request.Client == Guid.Empty || request.Sequence == 0
        ? null
        : new RequestId(request.Client, request.Sequence, request.LowWater);

    private bool IsForeign(StateRequest request) =>
        request.FormatVersion == StateRequest.CurrentFormatVersion && request.ClusterId != hash.ClusterId;

    // The caller's table is out of date: a node of another cluster now listens at the owner's address. A newer table
    // helps, so this is no final refusal.
    private StateReply AnswerForeigner(StateRequest request) => new()
    {
        Status = StateReplyStatus.NotReady,
        TableVersion = view.Current.Version,
        Message = $"the node belongs to cluster {hash.ClusterId}, the request to cluster {request.ClusterId}",
    };

    private static bool HasPayload(StateVerb verb) =>
        verb is StateVerb.Put or StateVerb.PutIfVersion or StateVerb.Update;

    private string? FindMalformation(StateRequest request, out HashedKey key, out StateExpiry expiry)
    {
        key = default;
        expiry = default;
        if (request.FormatVersion != StateRequest.CurrentFormatVersion)
        {
            return $"message format {request.FormatVersion} was found, {StateRequest.CurrentFormatVersion} expected; " +
                "the nodes run different versions";
        }

        if (request.Verb is < StateVerb.Get or > StateVerb.Load)
            return $"verb {(int)request.Verb} is unknown";
        if (request.Key is null || request.Key.Length > StateDefinition.MaxKeyBytes)
            return "the key is too long";
        if (HasPayload(request.Verb) && request.Payload.IsNull)
            return $"{request.Verb} needs a payload";
        if (request.Sequence < 0 || request.LowWater < 0 || request.LowWater > request.Sequence)
            return $"number {request.Sequence} with the low-water mark {request.LowWater} is malformed";
        if (!StateExpiry.TryCreate(request.ExpiryKind, request.ExpiryTicks, out expiry))
            return "the expiry is malformed";
        if (request.LoadToken < 0 || (request.Verb == StateVerb.Load && request.LoadToken == 0))
            return $"{request.LoadToken} is no number of a load";
        if (!StateReads.TryCreate(request.IsStrict, request.MaxAgeTicks, out _))
            return $"a read cannot be {(request.IsStrict ? "strict and " : "")}{request.MaxAgeTicks} ticks old";
        key = new HashedKey(request.StateId, hash.Hash(request.Key), request.Key);
        return request.Partition >= 0 && request.Partition < hash.PartitionCountMax
            && (request.Verb == StateVerb.Scan || hash.IsIn(key.Hash, new PartitionId(request.Partition)))
            ? null
            : $"the key does not belong to partition {request.Partition}; the nodes belong to different clusters";
    }

    // The set of partitions may be newer than the table of this node. Then a newer table helps.
    private bool IsOfAnotherSet(StateRequest request, StateDefinition state)
    {
        var (table, partition) = (view.Current, new PartitionId(request.Partition));
        return partition.Value < table.Partitions.Length
            && table.BackupsOf(state.Id) is { } backups && table.BackupsOf(partition) != backups;
    }

    private async ValueTask<StateReply> LoadAsync(
        StateRequest request, HashedKey key, CancellationToken cancellationToken)
    {
        var target = new LoadTarget(key, new PartitionId(request.Partition), request.LoadToken, request.GivesLoadUp);
        return Reply(request, await operations.LoadAsync(target, cancellationToken).ConfigureAwait(false));
    }

    private ValueTask<StateReply> GetAsync(StateRequest request, in HashedKey key)
    {
        _ = StateReads.TryCreate(request.IsStrict, request.MaxAgeTicks, out var reads);
        var read = operations.ReadAsync(key, new PartitionId(request.Partition), reads);
        return read.IsCompletedSuccessfully ? new(Reply(request, read.Result)) : AwaitAsync(request, read);
    }

    private async ValueTask<StateReply> AwaitAsync(StateRequest request, ValueTask<OwnerRead> read) =>
        Reply(request, await read.ConfigureAwait(false));

    private StateReply Reply(StateRequest request, OwnerRead read)
    {
        using (read)
        {
            return read.Record.Exists
                ? Reply(request, read.Result, read.Record.Value.ToArray(), LifeEnd.IsSliding(read.Record.Stamp.Time))
                : Reply(request, read.Result, default);
        }
    }

    private StateReply Scan(StateRequest request)
    {
        var target = new ScanTarget(
            request.StateId, new PartitionId(request.Partition), request.Cursor, !request.IsWithoutValues);
        return Reply(request, operations.Scan(target, out var page), page?.Payload, cursor: page?.Cursor ?? 0);
    }

    private async ValueTask<StateReply> WriteAsync(StateRequest request, StateDefinition state, ChangeTarget target)
    {
        if (request.Payload.Length > state.MaxValueBytes)
            return Refuse(
                $"a value of {request.Payload.Length} bytes is larger than MaxValueBytes ({state.MaxValueBytes})");
        var write = new StateWrite(request.Verb, target.Key, target.Partition, target.Expiry)
        {
            Value = HasPayload(request.Verb) ? request.Payload.Memory : default,
            ExpectedVersion = request.ExpectedVersion,
            LoadToken = request.Verb == StateVerb.Put ? request.LoadToken : 0,
            MinInSync = state.MinInSync,
            Request = target.Request,
            Renews = request.ExpiryKind == (int)ExpiryKind.Default,
        };
        return Reply(request, await operations.WriteAsync(write).ConfigureAwait(false), default);
    }

    private async ValueTask<StateReply> UpdateAsync(
        StateRequest request, StateDefinition state, ChangeTarget target, CancellationToken cancellationToken)
    {
        RecordChange? change;
        try
        {
            change = state.FindChange(request.OperationId, request.Payload.Memory, target);
        }
        catch (Exception unreadable) when (unreadable is not OutOfMemoryException)
        {
            return Fail(state.WriteFailure(unreadable));
        }

        if (change is null)
        {
            return Refuse(
                $"the operation with id {request.OperationId:x16} is not registered for state '{state.Name}' " +
                "on this node; add it with s.AllowOperation<…>()");
        }

        try
        {
            var result = await operations.ChangeAsync(change, cancellationToken).ConfigureAwait(false);
            return Reply(request, result, change.Result);
        }
        catch (Exception) when (change.Failure is not null)
        {
            return Fail(change.Failure);
        }
    }

    private StateReply Reply(
        StateRequest request, StateResult result, SlimBytes payload, bool isSliding = false, ulong cursor = 0)
    {
        var partition = new PartitionId(request.Partition);
        var route = view.RouteOf(partition);
        var status = result.Status;

        // Only a table newer than the caller's tells the caller where to go.
        if (status is StateReplyStatus.NotReady or StateReplyStatus.Moved)
        {
            var isNewer = route.Entry.Epoch.Value > request.Epoch;
            status = isNewer ? StateReplyStatus.Moved : StateReplyStatus.NotReady;
            if (route.Entry.Epoch.Value < request.Epoch)
                options.NewerEpochHeard?.Invoke(partition, new Epoch(request.Epoch));
        }

        var isExecuted = status == StateReplyStatus.Done;
        return new StateReply
        {
            Status = status,
            TableVersion = view.Current.Version,
            Version = result.Version,
            Payload = isExecuted ? payload : default,
            IsSliding = isExecuted && isSliding,
            Cursor = isExecuted ? cursor : 0,
            Moved = status == StateReplyStatus.Moved ? MovedPartition.From(route) : null,
            Message = isExecuted ? null : Describe(route, status, request),
        };
    }

    private string? Describe(PartitionRoute route, StateReplyStatus status, StateRequest request) => status switch
    {
        StateReplyStatus.NotReady => FindFewCopies(route, request)
            ?? $"the owner is not ready to serve it (epoch {route.Entry.Epoch})",
        StateReplyStatus.Full => FullText,
        StateReplyStatus.Busy => BusyText,
        StateReplyStatus.Unknown => LostText,
        StateReplyStatus.ResultNotKept => NotKeptText,
        _ => null,
    };

    private string? FindFewCopies(PartitionRoute route, StateRequest request) =>
        request.Verb is not (StateVerb.Get or StateVerb.Scan or StateVerb.Load)
        && catalog.TryFind(request.StateId, out var ordinal)
            ? DescribeCopies(route, catalog[ordinal])
            : null;

    private StateReply Fail(StateFailure failure) => new()
    {
        Status = StateReplyStatus.Failed,
        TableVersion = view.Current.Version,
        Failure = failure,
    };

    private StateReply Refuse(string why) => new()
    {
        Status = StateReplyStatus.Refused,
        TableVersion = view.Current.Version,
        Message = why,
    };
}
