using Cluster.StateStore.Engine;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting.Calls;

/// <summary>A read. Holds what was found.</summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
internal sealed class ReadCall<TValue>(StateDefinition state, ValueFormat<TValue> format, HashedKey key)
    : StateCall(state, key)
{
    public StateEntry<TValue>? Found { get; private set; }

    public override bool IsRead => true;

    public override ValueTask<StateResult> RunAsync(
        OwnerOperations owner, RunTarget target, CancellationToken cancellationToken)
    {
        var result = owner.Read(Key, target.Partition, out var record);
        using (record)
        {
            if (record.Exists)
                Found = new(format.Read(record.Value.Span), new StateVersion(result.Version));
        }

        return new(result);
    }

    public override StateRequest ToRequest(in RequestTarget target) => new()
    {
        Verb = StateVerb.Get,
        StateId = Key.StateId,
        ClusterId = target.ClusterId,
        Partition = target.Partition.Value,
        Epoch = target.Epoch.Value,
        TableVersion = target.TableVersion,
        Key = Key.Bytes,
    };

    public override void Accept(StateReply reply)
    {
        if (reply.Status == StateReplyStatus.Done)
            Found = new(format.Read(reply.Payload), new StateVersion(reply.Version));
    }
}
