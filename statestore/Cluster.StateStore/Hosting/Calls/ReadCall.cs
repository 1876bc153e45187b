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

    /// <summary>The bytes of a value that another node has answered with, and that a near cache may keep; null: there
    /// are none.</summary>
    public byte[]? Keepable { get; private set; }

    public override bool IsRead => true;

    public override TimeSpan MaxAge => State.Reads.MaxAge;

    public override ValueTask<StateResult> RunAsync(
        OwnerOperations owner, RunTarget target, CancellationToken cancellationToken)
    {
        var read = owner.ReadAsync(Key, target.Partition, State.Reads);
        return read.IsCompletedSuccessfully ? new(Take(read.Result)) : AwaitAsync(read);
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
        IsStrict = State.Reads.IsStrict,
        MaxAgeTicks = MaxAge.Ticks,
    };

    public override void Accept(StateReply reply)
    {
        Keepable = reply is { Status: StateReplyStatus.Done, IsSliding: false } ? reply.Payload : null;
        if (reply.Status == StateReplyStatus.Done)
            Found = new(format.Read(reply.Payload), new StateVersion(reply.Version));
    }

    private async ValueTask<StateResult> AwaitAsync(ValueTask<OwnerRead> read) =>
        Take(await read.ConfigureAwait(false));

    private StateResult Take(OwnerRead read)
    {
        using (read)
        {
            if (read.Record.Exists)
                Found = new(format.Read(read.Record.Value.Span), new StateVersion(read.Result.Version));
        }

        return read.Result;
    }
}
