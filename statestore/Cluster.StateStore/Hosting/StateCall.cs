using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Local;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Hosting;

/// <summary>One operation of one caller: how it runs on this node, how it travels to another, and what came of it. Used
/// by one caller; attempted as often as it takes, with one outcome.</summary>
internal abstract class StateCall(StateDefinition state, StateKey key) : IDisposable
{
    public StateDefinition State { get; } = state;

    public StateKey Key { get; } = key;

    /// <summary>Whether it changes nothing, so that doing it twice harms nobody.</summary>
    public virtual bool IsRead => false;

    /// <summary>Runs on this node's own store.</summary>
    public abstract ValueTask<StoreResult> RunAsync(
        PartitionStore partition, Epoch epoch, CancellationToken cancellationToken);

    /// <summary>The request to send to another node.</summary>
    public abstract StateRequest ToRequest(in RequestTarget target);

    /// <summary>Takes the outcome out of the reply of another node that executed the request.</summary>
    public abstract void Accept(StateReply reply);

    /// <summary>Gives rented memory back.</summary>
    public virtual void Dispose()
    {
    }
}
