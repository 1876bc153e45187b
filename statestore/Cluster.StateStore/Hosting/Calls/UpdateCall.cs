using Cluster.Slim;
using Cluster.Slim.Messages;
using Cluster.StateStore.Engine;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting.Calls;

/// <summary>An operation on the owner. It is serialized when the call begins and rebuilt where it runs, also on this
/// node, so that the caller's object, the result and exceptions behave the same wherever the owner is. Holds the
/// outcome.</summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
/// <typeparam name="TResult">The result of the operation.</typeparam>
internal sealed class UpdateCall<TValue, TResult>(
    StateDefinition state,
    ValueFormat<TValue> format,
    HashedKey key,
    OperationBinding<TValue> binding,
    IStateOperation<TValue, TResult> operation) : StateCall(state, key)
{
    private readonly byte[] _payload = binding.Serialize(format, operation);
    private SlimBytes _result;
    private StateFailure? _failure;

    public override StateVerb Verb => StateVerb.Update;

    public override bool HasPayload => true;

    /// <summary>Gets the operation's result, or throws the operation's exception.</summary>
    /// <param name="result">The result.</param>
    /// <param name="unknown">The refusal of a layout without which the result cannot be read.</param>
    /// <returns>False: such a layout is missing.</returns>
    public bool TryTakeResult(out TResult result, [NotNullWhen(false)] out SlimLayoutException? unknown) =>
        _failure is null
            ? format.TryFromBytes(_result.Span, out result, out unknown)
            : throw format.Failures.Read(_failure);

    public override async ValueTask<StateResult> RunAsync(
        OwnerOperations owner, RunTarget target, CancellationToken cancellationToken)
    {
        var place = new ChangeTarget(Key, target.Partition, State.DefaultExpiry)
        {
            MinInSync = State.MinInSync,
            Request = target.Request,
        };
        if (FindChange(place) is not { } change)
            return StateResult.Failed;
        try
        {
            var result = await owner.ChangeAsync(change, cancellationToken).ConfigureAwait(false);
            _result = change.Result;
            return result;
        }
        catch (Exception) when (change.Failure is not null)
        {
            _failure = change.Failure;
            return StateResult.Failed;
        }
    }

    public override StateRequest ToRequest(in RequestTarget target) => target.Address(
        new()
        {
            Verb = Verb,
            StateId = Key.StateId,
            Client = target.Request.Client,
            Sequence = target.Request.Sequence,
            LowWater = target.Request.LowWater,
            Payload = _payload,
            OperationId = binding.Id,
        },
        Key);

    public override void Accept(StateReply reply)
    {
        _result = reply.Payload;
        if (reply.Status == StateReplyStatus.Failed)
            _failure = reply.Failure ?? new StateFailure();
    }

    public override void Dispose()
    {
        _result.Return();
        _result = default;
        base.Dispose();
    }

    private RecordChange? FindChange(ChangeTarget target)
    {
        try
        {
            return binding.Deserialize(format, _payload, target);
        }
        catch (Exception unreadable) when (unreadable is not OutOfMemoryException)
        {
            _failure = format.Failures.Write(unreadable);
            return null;
        }
    }
}
