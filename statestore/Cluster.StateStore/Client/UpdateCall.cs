using Cluster.Contracts;
using Cluster.StateStore.Local;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Operations;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Client;

/// <summary>
/// An operation on the owner. On this node the operation object runs as it is, without being serialized. Holds the
/// result.
/// </summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
/// <typeparam name="TResult">What the operation answers.</typeparam>
internal sealed class UpdateCall<TValue, TResult>(
    StateDefinition state,
    ValueFormat<TValue> format,
    RecordKey key,
    OperationBinding<TValue> binding,
    IStateOperation<TValue, TResult> operation) : StateCall(state, key)
{
    private byte[]? _payload;

    internal TResult Result { get; private set; } = default!;

    internal override async ValueTask<StoreResult> RunAsync(
        PartitionStore partition, Epoch epoch, CancellationToken cancellation)
    {
        var target = new ChangeTarget(Key, partition.OrdinalOf(State), State.ExpiryDefault);
        var change = new OperationChange<TValue, TResult>(target, format, operation);
        var result = await partition.ChangeAsync(change, epoch, cancellation).ConfigureAwait(false);
        Result = change.Result;
        return result;
    }

    internal override StateRequest ToRequest(in RequestTarget target) => new()
    {
        Verb = StateVerb.Update,
        StateId = Key.StateId,
        ClusterId = target.ClusterId,
        Partition = target.Partition.Value,
        Epoch = target.Epoch.Value,
        TableVersion = target.TableVersion,
        Key = Key.Bytes,
        Payload = _payload ??= binding.Serialize(format.Serializer, operation),
        OperationId = binding.Id,
    };

    internal override void Accept(StateReply reply) => Result = format.Serializer.Deserialize<TResult>(reply.Payload);
}
