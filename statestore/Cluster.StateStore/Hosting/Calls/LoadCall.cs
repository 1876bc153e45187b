using Cluster.StateStore.Engine;
using Cluster.StateStore.Engine.Loads;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting.Calls;

/// <summary>The question for a value, or for the right to load it where it is missing. Holds the answer.</summary>
/// <param name="state">The state.</param>
/// <param name="key">The key.</param>
/// <param name="token">The number that this caller has chosen for its right.</param>
/// <param name="givesUp">Whether the caller gives its right back, because it could not load the value.</param>
internal sealed class LoadCall(StateDefinition state, HashedKey key, long token, bool givesUp = false)
    : StateCall(state, key)
{
    /// <summary>The bytes of the value; null: there is none.</summary>
    public byte[]? Found { get; private set; }

    /// <summary>Whether another caller loads the value.</summary>
    public bool IsLoading { get; private set; }

    public override StateVerb Verb => StateVerb.Load;

    public override bool IsRead => true;

    public override async ValueTask<StateResult> RunAsync(
        OwnerOperations owner, RunTarget target, CancellationToken cancellationToken)
    {
        using var read = await owner
            .LoadAsync(new LoadTarget(Key, target.Partition, token, givesUp), cancellationToken).ConfigureAwait(false);
        if (read.Record.Exists)
            Found = read.Record.Value.ToArray();
        IsLoading = read.Result.Status == StateReplyStatus.Loading;
        return read.Result;
    }

    public override StateRequest ToRequest(in RequestTarget target) => target.Address(
        new()
        {
            Verb = Verb,
            StateId = Key.StateId,
            LoadToken = token,
            GivesLoadUp = givesUp,
        },
        Key);

    public override void Accept(StateReply reply)
    {
        Found = reply.Status == StateReplyStatus.Done ? reply.Payload.ToArray() : null;
        IsLoading = reply.Status == StateReplyStatus.Loading;
        reply.Payload.Return();
    }
}
