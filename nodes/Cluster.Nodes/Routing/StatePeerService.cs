using Cluster.Nodes.Members;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.Nodes.Routing;

/// <summary>Serves this node's state store to other processes. Before the node has its store, and in a client, it
/// answers that it is not ready. Its only state is the counter.</summary>
internal sealed class StatePeerService(CurrentMemberRole role, ITableView view) : IStatePeer
{
    private const string NotReady = "the node is not ready";
    private long _callCount;

    public long CallCount => Interlocked.Read(ref _callCount);

    public ValueTask<StateReply> ExecuteAsync(StateRequest request, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _callCount);
        if (role.Current is { } member)
            return member.Store.ExecuteAsync(request, cancellationToken);
        return new(new StateReply
        {
            Status = StateReplyStatus.NotReady,
            TableVersion = view.Current.Version,
            Message = NotReady,
        });
    }

    public ValueTask<LayoutReply> LayoutsAsync(LayoutRequest request, CancellationToken cancellationToken) =>
        role.Current is { } member
            ? member.Store.LayoutsAsync(request, cancellationToken)
            : new(new LayoutReply { Status = LayoutReplyStatus.NotReady, Message = NotReady });

    public ValueTask<WatchReply> WatchAsync(WatchRequest request, CancellationToken cancellationToken) =>
        role.Current is { } member
            ? member.Store.WatchAsync(request, cancellationToken)
            : new(new WatchReply { Status = WatchReplyStatus.Over });
}
