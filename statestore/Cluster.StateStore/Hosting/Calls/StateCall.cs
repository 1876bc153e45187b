using Cluster.StateStore.Engine;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Observation;

namespace Cluster.StateStore.Hosting.Calls;

/// <summary>One operation of one caller: how it runs on this node, how it travels to another node, and its outcome.
/// Used by one caller; may be attempted several times, and has one outcome until it is disposed of.</summary>
internal abstract class StateCall(StateDefinition state, HashedKey key) : IDisposable
{
    public StateDefinition State { get; } = state;

    public HashedKey Key { get; protected set; } = key;

    /// <summary>What the operation does.</summary>
    public abstract StateVerb Verb { get; }

    /// <summary>What is observed of the operation; null: nobody listens.</summary>
    public StateObservation? Observation { get; set; }

    /// <summary>Whether the operation changes nothing, so that it may run twice.</summary>
    public virtual bool IsRead => false;

    /// <summary>Whether the request brings a value, or an operation.</summary>
    public virtual bool HasPayload => false;

    /// <summary>How old the answer of a read may be; zero: it must be the newest one.</summary>
    public virtual TimeSpan MaxAge => default;

    /// <summary>The number of a write, by which its owner recognizes a repeated attempt; null: it has none.</summary>
    public long? Number { get; set; }

    /// <summary>Runs the operation on this node's own store.</summary>
    /// <param name="owner">The store.</param>
    /// <param name="target">The partition, and the identity of a write.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public abstract ValueTask<StateResult> RunAsync(
        OwnerOperations owner, RunTarget target, CancellationToken cancellationToken);

    public abstract StateRequest ToRequest(in RequestTarget target);

    /// <summary>Takes the outcome of a run on this node's own store.</summary>
    public virtual void Accept(in StateResult result)
    {
    }

    /// <summary>Notes that the node has answered a request, with success or with a failure. The node does not read the
    /// request any more.</summary>
    public virtual void NoteAnswered()
    {
    }

    /// <summary>Takes the outcome from the reply of the node that executed the request. Returns the memory of the
    /// reply.</summary>
    public abstract void Accept(StateReply reply);

    /// <summary>Gives back what is used again. Called once; the call is not used afterwards.</summary>
    public virtual void Dispose()
    {
    }
}
