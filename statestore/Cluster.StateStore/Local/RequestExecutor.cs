using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Local;

/// <summary>Turns requests of other nodes into operations on partitions, and their outcomes into replies. Checks every
/// field of a request, because it comes from outside. A newer epoch in a request changes nothing here: the host gets it
/// and asks the cluster store. Stateless.</summary>
internal sealed class RequestExecutor(
    StateCatalog catalog, PartitionHash hash, PartitionStore[] partitions, ITableView view,
    Action<PartitionId, Epoch>? newerEpochHeard)
{
    public const string FullText = "the owner's pile is full (PileBudgetBytes); nothing was changed";
    public const string BusyText =
        "other writes of the key took too long (MaxKeyWait), or too many wait; nothing was changed";

    public async ValueTask<StateReply> ExecuteAsync(StateRequest request, CancellationToken cancellationToken)
    {
        if (IsForeign(request))
            return AnswerForeigner(request);
        if (FindMalformation(request, out var key, out var expiry) is { } malformation)
            return Refuse(malformation);
        if (!catalog.TryFind(request.StateId, out var ordinal))
            return Refuse($"the state with id {request.StateId:x8} is not registered on this node");
        var state = catalog[ordinal];
        var partition = partitions[request.Partition];
        var target = new ChangeTarget(key, ordinal, state.Resolve(expiry));
        return request.Verb switch
        {
            StateVerb.Get => Get(partition, request, key),
            StateVerb.Update =>
                await UpdateAsync(partition, request, state, target, cancellationToken).ConfigureAwait(false),
            _ => await WriteAsync(partition, request, state, target, cancellationToken).ConfigureAwait(false),
        };
    }

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

    private string? FindMalformation(StateRequest request, out StateKey key, out StateExpiry expiry)
    {
        key = default;
        expiry = default;
        if (request.FormatVersion != StateRequest.CurrentFormatVersion)
        {
            return $"message format {request.FormatVersion} was found, {StateRequest.CurrentFormatVersion} expected; " +
                "the nodes run different versions";
        }

        if (request.Verb is < StateVerb.Get or > StateVerb.Update)
            return $"verb {(int)request.Verb} is unknown";
        if (request.Key is null || request.Key.Length > StateDefinition.MaxKeyBytes)
            return "the key is too long";
        if (HasPayload(request.Verb) && request.Payload is null)
            return $"{request.Verb} needs a payload";
        if (!StateExpiry.TryCreate(request.ExpiryKind, request.ExpiryTicks, out expiry))
            return "the expiry is malformed";
        key = new StateKey(request.StateId, hash.Hash(request.Key), request.Key);
        return hash.PartitionOf(key.Hash).Value == request.Partition
            ? null
            : $"the key does not belong to partition {request.Partition}; the nodes belong to different clusters";
    }

    private StateReply Get(PartitionStore partition, StateRequest request, in StateKey key)
    {
        var result = partition.TryRead(key, new Epoch(request.Epoch), out var record);
        using (record)
            return Reply(partition, request, result, record?.Record.Value.ToArray());
    }

    private async ValueTask<StateReply> WriteAsync(
        PartitionStore partition, StateRequest request, StateDefinition state, ChangeTarget target,
        CancellationToken cancellationToken)
    {
        if (request.Payload?.Length > state.MaxValueBytes)
            return Refuse(
                $"a value of {request.Payload.Length} bytes is larger than MaxValueBytes ({state.MaxValueBytes})");
        using var record = HasPayload(request.Verb) ? Compose(target.Key, request.Payload!) : null;
        var write = new StateWrite(request.Verb, target.Key, target.Ordinal, target.Expiry)
        {
            Record = record,
            ExpectedVersion = request.ExpectedVersion,
        };
        var result =
            await partition.WriteAsync(write, new Epoch(request.Epoch), cancellationToken).ConfigureAwait(false);
        return Reply(partition, request, result, null);
    }

    private async ValueTask<StateReply> UpdateAsync(
        PartitionStore partition, StateRequest request, StateDefinition state, ChangeTarget target,
        CancellationToken cancellationToken)
    {
        RequestedChange? change;
        try
        {
            change = state.FindChange(request.OperationId, request.Payload!, target);
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
            var epoch = new Epoch(request.Epoch);
            var result = await partition.ChangeAsync(change, epoch, cancellationToken).ConfigureAwait(false);
            return Reply(partition, request, result, change.Result);
        }
        catch (Exception) when (change.Failure is not null)
        {
            return Fail(change.Failure);
        }
    }

    private static RecordBuffer Compose(in StateKey key, byte[] value)
    {
        var record = RecordBuffer.Start(key, value.Length);
        value.CopyTo(record.GetSpan(value.Length));
        record.Advance(value.Length);
        return record;
    }

    private StateReply Reply(PartitionStore partition, StateRequest request, StoreResult result, byte[]? payload)
    {
        var route = view.RouteOf(partition.Id);
        var status = result.Status;

        // A table newer than the caller's tells the caller where to go, which is more than "not ready".
        if (status == StateReplyStatus.NotReady && route.Entry.Epoch.Value > request.Epoch)
            status = StateReplyStatus.Moved;
        if (status == StateReplyStatus.NotReady)
            NoteEpoch(partition, new Epoch(request.Epoch));
        var isExecuted = status == StateReplyStatus.Done;
        return new StateReply
        {
            Status = status,
            TableVersion = view.Current.Version,
            Version = result.Version,
            Payload = isExecuted ? payload : null,
            Moved = status == StateReplyStatus.Moved ? MovedPartition.From(route) : null,
            Message = isExecuted ? null : Describe(partition, status),
        };
    }

    private void NoteEpoch(PartitionStore partition, Epoch named)
    {
        var (state, epoch) = partition.Status;
        if (state == PartitionState.Serving && named > epoch)
            newerEpochHeard?.Invoke(partition.Id, named);
    }

    private static string? Describe(PartitionStore partition, StateReplyStatus status) => status switch
    {
        StateReplyStatus.NotReady =>
            $"the owner is not ready to serve it ({partition.Status.State} at epoch {partition.Status.Epoch})",
        StateReplyStatus.Full => FullText,
        StateReplyStatus.Busy => BusyText,
        _ => null,
    };

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
