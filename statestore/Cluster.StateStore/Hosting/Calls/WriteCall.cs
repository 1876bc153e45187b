using Cluster.Slim.Messages;
using Cluster.StateStore.Engine;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting.Calls;

/// <summary>A put, conditional put, removal or touch. Owns the value to store, and holds the new version.</summary>
internal sealed class WriteCall(
    StateDefinition state, HashedKey key, StateVerb verb, StateExpiry expiry, ValueBuffer? value)
    : StateCall(state, key)
{
    // The requests that no reply has come for. A node of this process may still read one whose attempt has ended.
    private int _unansweredCount;

    public override StateVerb Verb => verb;

    public StateVersion Expected { get; init; }

    /// <summary>The right to store a loaded value; zero: this is none.</summary>
    public long LoadToken { get; init; }

    public override bool HasPayload => value is not null;

    /// <summary>A copy of the bytes of the value.</summary>
    public byte[] ValueBytes => value!.Written.ToArray();

    /// <summary>The version of the value written or touched. Null: there was no value to write to.</summary>
    public StateVersion? Written { get; private set; }

    public override ValueTask<StateResult> RunAsync(
        OwnerOperations owner, RunTarget target, CancellationToken cancellationToken) =>
        owner.WriteAsync(new StateWrite(verb, Key, target.Partition, State.Resolve(expiry))
        {
            Value = value?.Written ?? default,
            ExpectedVersion = Expected.Value,
            LoadToken = LoadToken,
            MinInSync = State.MinInSync,
            Request = target.Request,
            Renews = expiry.Kind == ExpiryKind.Default,
        });

    public override void Accept(in StateResult result) =>
        Written = result.Status == StateReplyStatus.Done ? new StateVersion(result.Version) : null;

    public override StateRequest ToRequest(in RequestTarget target)
    {
        _unansweredCount++;
        StateRequest request = new()
        {
            Verb = verb,
            StateId = Key.StateId,
            Client = target.Request.Client,
            Sequence = target.Request.Sequence,
            LowWater = target.Request.LowWater,
            Payload = value is null ? default : new SlimBytes(value.Written),
            ExpectedVersion = Expected.Value,
            LoadToken = LoadToken,
            ExpiryKind = (int)expiry.Kind,
            ExpiryTicks = expiry.Ticks,
        };
        return target.Address(request, Key);
    }

    public override void NoteAnswered() => _unansweredCount--;

    public override void Accept(StateReply reply) =>
        Written = reply.Status == StateReplyStatus.Done ? new StateVersion(reply.Version) : null;

    public override void Dispose()
    {
        // A node of this process reads the caller's own request. The garbage collector frees what one may still read.
        if (_unansweredCount == 0)
            value?.Dispose();
        base.Dispose();
    }
}
