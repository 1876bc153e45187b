using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Local;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Hosting;

/// <summary>One operation of one caller: how it runs on this node, how it travels to another node, and its outcome.
/// Used by one caller; may be attempted several times, and has one outcome.</summary>
internal abstract class StateCall(StateDefinition state, StateKey key) : IDisposable
{
    public StateDefinition State { get; } = state;

    public StateKey Key { get; } = key;

    /// <summary>Whether the operation changes nothing, so that it may run twice.</summary>
    public virtual bool IsRead => false;

    /// <summary>Runs the operation on this node's own store.</summary>
    public abstract ValueTask<StoreResult> RunAsync(
        PartitionStore partition, Epoch epoch, CancellationToken cancellationToken);

    public abstract StateRequest ToRequest(in RequestTarget target);

    /// <summary>Takes the outcome from the reply of the node that executed the request.</summary>
    public abstract void Accept(StateReply reply);

    /// <summary>Gives the rented memory back.</summary>
    public virtual void Dispose()
    {
    }
}
