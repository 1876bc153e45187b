using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Local;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Hosting;

/// <summary>A put, conditional put, removal or touch. Owns the record to store, and holds the new version.</summary>
internal sealed class WriteCall(
    StateDefinition state, StateKey key, StateVerb verb, StateExpiry expiry, RecordBuffer? record)
    : StateCall(state, key)
{
    private byte[]? _payload;

    public StateVersion Expected { get; init; }

    /// <summary>The version of the value written or touched. Null: there was no value to write to.</summary>
    public StateVersion? Written { get; private set; }

    public override async ValueTask<StoreResult> RunAsync(
        PartitionStore partition, Epoch epoch, CancellationToken cancellationToken)
    {
        var write = new StateWrite(verb, Key, partition.OrdinalOf(State), State.Resolve(expiry))
        {
            Record = record,
            ExpectedVersion = Expected.Value,
        };
        var result = await partition.WriteAsync(write, epoch, cancellationToken).ConfigureAwait(false);
        if (result.Status == StateReplyStatus.Done)
            Written = new StateVersion(result.Version);
        return result;
    }

    public override StateRequest ToRequest(in RequestTarget target) => new()
    {
        Verb = verb,
        StateId = Key.StateId,
        ClusterId = target.ClusterId,
        Partition = target.Partition.Value,
        Epoch = target.Epoch.Value,
        TableVersion = target.TableVersion,
        Key = Key.Bytes,
        Payload = _payload ??= record?.Record.Value.ToArray(),
        ExpectedVersion = Expected.Value,
        ExpiryKind = (int)expiry.Kind,
        ExpiryTicks = expiry.Ticks,
    };

    public override void Accept(StateReply reply) =>
        Written = reply.Status == StateReplyStatus.Done ? new StateVersion(reply.Version) : null;

    public override void Dispose()
    {
        record?.Dispose();
        base.Dispose();
    }
}
