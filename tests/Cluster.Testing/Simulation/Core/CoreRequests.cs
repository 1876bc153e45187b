using Cluster.Contracts;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Shards;
using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Core;

/// <summary>Translates the requests of simulated clients into calls of a shard, and its answers back. Used by one
/// thread.</summary>
/// <param name="host">The machine.</param>
internal sealed class CoreRequests(SimulatedHost host)
{
    /// <summary>How old the answer to a stale read may be, by the clock of the node that answers.</summary>
    public static readonly TimeSpan StalenessMax = TimeSpan.FromSeconds(1);

    /// <summary>Handles a request. A write is answered when its effect ends.</summary>
    /// <returns>The answer to a read; null for a write.</returns>
    public ClientReply? Handle(ReplicaShard shard, int client, ClientRequest request, Moment now)
    {
        var partition = new PartitionId(request.Key.Partition);
        var key = new StateKey(0, Encoding.UTF8.GetBytes(request.Key.Name));
        var operation = new PendingRequest(client, request);
        if (request.Action == ClientAction.Get)
            return BeginRead(shard, partition, operation, now) ? Read(shard, request, now) : null;
        if (request.Action is ClientAction.Increment or ClientAction.Append)
            Run(shard, partition, key, operation, now);
        else
            Write(shard, WriteOf(shard, partition, key, request, now), operation, now);
        return null;
    }

    /// <summary>Answers a read that has waited, or was not to wait.</summary>
    public static ClientReply Read(ReplicaShard shard, ClientRequest request, Moment now)
    {
        var partition = new PartitionId(request.Key.Partition);
        var key = new StateKey(0, Encoding.UTF8.GetBytes(request.Key.Name));
        var answer = request.Reads == ReadMode.Stale
            ? shard.ReadStale(partition, key, StalenessMax, now)
            : shard.Read(partition, key, now);
        if (answer.Outcome != WriteOutcome.Done)
            return ClientReply.To(request, StatusOf(answer.Outcome));
        var value = answer.Exists ? StoredValue.Read(answer.Record.Value.Span) : StoredValue.Empty;
        return ClientReply.To(request, ClientReplyStatus.Done) with
        {
            Flag = answer.Exists,
            Value = value.Number,
            Items = value.Items,
            Version = (long)answer.Record.Version.Value,
        };
    }

    /// <summary>Translates an answer.</summary>
    public static ClientReply ReplyTo(ClientRequest request, in WriteAnswer answer)
    {
        if (answer.Outcome != WriteOutcome.Done)
            return ClientReply.To(request, StatusOf(answer.Outcome));
        var value = StoredValue.Read(answer.Result.Span);
        return ClientReply.To(request, ClientReplyStatus.Done) with
        {
            Flag = answer.Flag,
            Version = (long)answer.Version.Value,
            Value = value.Number,
            Items = value.Items,
        };
    }

    private void Run(
        ReplicaShard shard, PartitionId partition, in StateKey key, PendingRequest operation, Moment now)
    {
        var request = operation.Request;
        var head = shard.ReadHead(partition, key, now) ?? default;
        var value = StoredValue.Read((head.Value ?? default).Span);
        var next = request.Action == ClientAction.Increment
            ? value with { Number = value.Number + request.Argument }
            : value with { Items = value.Items.Add(request.Argument) };
        var bytes = (next with { Salt = (long)host.Random.Next() }).ToBytes();
        Write(
            shard,
            new WriteRequest(partition, EntryKind.Put, key)
            {
                Value = bytes,
                Expected = head.Version,
                Request = IdOf(request),
                Expiry = ExpiryOf(shard, partition, request, now),
                IsOperation = true,
                Result = bytes,
            },
            operation,
            now);
    }

    private static void Write(ReplicaShard shard, in WriteRequest request, PendingRequest operation, Moment now)
    {
        if (shard.Write(request, operation, now) is { } answer)
            shard.Effects.Complete(operation, answer);
    }

    private static WriteRequest WriteOf(
        ReplicaShard shard, PartitionId partition, in StateKey key, ClientRequest request, Moment now)
    {
        var kind = request.Action switch
        {
            ClientAction.Remove => EntryKind.Remove,
            ClientAction.Touch => EntryKind.Touch,
            _ => EntryKind.Put,
        };
        return new WriteRequest(partition, kind, key)
        {
            Value = new StoredValue(request.Argument, []).ToBytes(),
            Expected = request.Action == ClientAction.PutIfVersion ? new EntryId((ulong)request.ExpectedVersion) : null,
            Expiry = ExpiryOf(shard, partition, request, now),
            Request = IdOf(request),
        };
    }

    private static bool BeginRead(ReplicaShard shard, PartitionId partition, PendingRequest operation, Moment now)
    {
        var outcome = operation.Request.Reads switch
        {
            ReadMode.Strict => shard.Confirm(partition, operation, now),
            ReadMode.Stale => shard.Refresh(partition, StalenessMax, operation, now),
            _ => WriteOutcome.Done,
        };

        // What is not served here is not read either, so the read itself says why.
        return outcome is not null;
    }

    private static long ExpiryOf(ReplicaShard shard, PartitionId partition, ClientRequest request, Moment now) =>
        request.TimeToLive is { } life ? shard.TimeOf(partition, now.Ticks) + life.Ticks : 0;

    private static RequestId IdOf(ClientRequest request) => new(request.Client, request.Sequence, request.LowWaterMark);

    private static ClientReplyStatus StatusOf(WriteOutcome outcome) => outcome switch
    {
        WriteOutcome.Moved => ClientReplyStatus.Moved,
        WriteOutcome.Unknown => ClientReplyStatus.Unknown,
        _ => ClientReplyStatus.Busy,
    };
}
