using Cluster.StateStore.Engine;
using Cluster.StateStore.Hosting.Layouts;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting.Calls;

/// <summary>A read. Holds what was found.</summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
internal sealed class ReadCall<TValue>(StateDefinition state, ValueFormat<TValue> format, HashedKey key)
    : StateCall(state, key)
{
    // The bytes of a value that a near cache may keep, or an unread value.
    private object? _kept;

    public StateEntry<TValue>? Found { get; private set; }

    /// <summary>The bytes of a value that another node has answered with, and that a near cache may keep; null: there
    /// are none.</summary>
    public byte[]? Keepable => _kept as byte[];

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
        _kept = reply is { Status: StateReplyStatus.Done, IsSliding: false } ? reply.Payload : null;
        if (reply.Status == StateReplyStatus.Done)
            Read(reply.Payload, reply.Version);
    }

    /// <summary>Finds the layout without which the value cannot be read; zero: it has been read.</summary>
    public ulong FindUnknownLayout() =>
        _kept is UnreadValue unread ? Read(unread.Bytes, unread.Version.Value) : 0;

    private ulong Read(ReadOnlySpan<byte> bytes, long version)
    {
        if (format.TryFromBytes(bytes, out TValue value, out var unknown))
            Found = new(value, new StateVersion(version));
        else
            _kept = new UnreadValue(bytes.ToArray(), new StateVersion(version));
        return unknown;
    }

    private async ValueTask<StateResult> AwaitAsync(ValueTask<OwnerRead> read) =>
        Take(await read.ConfigureAwait(false));

    private StateResult Take(OwnerRead read)
    {
        using (read)
        {
            if (read.Record.Exists)
                Read(read.Record.Value.Span, read.Result.Version);
        }

        return read.Result;
    }
}
