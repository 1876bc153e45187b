namespace Cluster.StateStore.Messages;

/// <summary>What one node's state store answers to others. The node's store implements it; the runtime serves it over
/// the network and hands out clients of it. What an operation throws travels in
/// <see cref="StateReply.Failure"/>.</summary>
public interface IStatePeer
{
    /// <summary>Runs one operation on a key whose partition this node owns, or says who does.</summary>
    /// <param name="request">The operation.</param>
    /// <param name="cancellationToken">Ends the wait; an operation that has started is carried through.</param>
    ValueTask<StateReply> ExecuteAsync(StateRequest request, CancellationToken cancellationToken);

    /// <summary>Takes the layouts of values that the caller writes, and answers with one that the caller does not
    /// know. Only for nodes whose protocol has layouts.</summary>
    /// <param name="request">The layouts.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<LayoutReply> LayoutsAsync(LayoutRequest request, CancellationToken cancellationToken);

    /// <summary>Tells what has changed in the partitions that this node owns. Without news, the answer comes after half
    /// a second.</summary>
    /// <param name="request">The question.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<WatchReply> WatchAsync(WatchRequest request, CancellationToken cancellationToken);
}
