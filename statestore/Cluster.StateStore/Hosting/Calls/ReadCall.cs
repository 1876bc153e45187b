using Cluster.Slim;
using Cluster.StateStore.Engine;
using Cluster.StateStore.Hosting.Layouts;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting.Calls;

/// <summary>A read. Holds what was found. After it, another read of the state by the same thread uses the object and
/// its request again.</summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
internal sealed class ReadCall<TValue> : StateCall
{
    [ThreadStatic]
    private static ReadCall<TValue>? _spare;

    private readonly ValueFormat<TValue> _format;

    // The bytes of a value that a near cache may keep, or an unread value.
    private object? _kept;

    // A request may be filled anew only when it was answered: a node of this process may still read one whose caller
    // has given up.
    private StateRequest? _answered;
    private StateRequest? _sent;

    private ReadCall(StateDefinition state, ValueFormat<TValue> format, HashedKey key)
        : base(state, key) => _format = format;

    public StateEntry<TValue>? Found { get; private set; }

    /// <summary>The bytes of a value that another node has answered with, and that a near cache may keep; null: there
    /// are none.</summary>
    public byte[]? Keepable => _kept as byte[];

    public override StateVerb Verb => StateVerb.Get;

    public override bool IsRead => true;

    public override TimeSpan MaxAge => State.Reads.MaxAge;

    public static ReadCall<TValue> Rent(StateDefinition state, ValueFormat<TValue> format, HashedKey key)
    {
        if (_spare is not { } call || !ReferenceEquals(call.State, state))
            return new ReadCall<TValue>(state, format, key);
        _spare = null;
        call.Key = key;
        return call;
    }

    public override ValueTask<StateResult> RunAsync(
        OwnerOperations owner, RunTarget target, CancellationToken cancellationToken)
    {
        var read = owner.ReadAsync(Key, target.Partition, State.Reads);
        return read.IsCompletedSuccessfully ? new(Take(read.Result)) : AwaitAsync(read);
    }

    public override StateRequest ToRequest(in RequestTarget target)
    {
        var request = _answered ?? new StateRequest
        {
            Verb = Verb,
            StateId = State.Id,
            IsStrict = State.Reads.IsStrict,
            MaxAgeTicks = MaxAge.Ticks,
        };
        (_answered, _sent) = (null, request);
        return target.Address(request, Key);
    }

    public override void Accept(StateReply reply)
    {
        _answered = _sent;
        _kept = null;
        if (reply.Status != StateReplyStatus.Done)
            return;
        if (State.NearCacheBytes > 0 && !reply.IsSliding)
            _kept = reply.Payload.ToArray();
        Read(reply.Payload.Span, reply.Version);
        reply.Payload.Return();
    }

    /// <summary>Finds the refusal of a layout without which the value cannot be read. Null: it has been
    /// read.</summary>
    public SlimLayoutException? FindUnknownLayout() =>
        _kept is UnreadValue unread ? Read(unread.Bytes, unread.Version.Value) : null;

    public override void Dispose()
    {
        (Found, _kept, _sent, Key) = (null, null, null, default);
        base.Dispose();
        _spare = this;
    }

    private SlimLayoutException? Read(ReadOnlySpan<byte> bytes, long version)
    {
        if (_format.TryFromBytes(bytes, out TValue value, out var unknown))
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
