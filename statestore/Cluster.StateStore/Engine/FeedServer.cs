using Cluster.StateStore.Engine.Feeds;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Engine;

/// <summary>Answers the watches of processes: at once where there are changes, else after a while.
/// Thread-safe.</summary>
/// <param name="engine">The engine.</param>
/// <param name="catalog">The states.</param>
/// <param name="hash">The hash of the cluster.</param>
/// <param name="view">The node's view of the table.</param>
/// <param name="time">The clock of the wait.</param>
internal sealed class FeedServer(
    NodeEngine engine, StateCatalog catalog, PartitionHash hash, ITableView view, TimeProvider time)
{
    /// <summary>How long an answer without news waits for some. It is the age of what the process knows.</summary>
    public static readonly TimeSpan Wait = TimeSpan.FromMilliseconds(500);

    private static readonly WatchReply Over = new() { Status = WatchReplyStatus.Over };

    public async ValueTask<WatchReply> WatchAsync(WatchRequest request, CancellationToken cancellationToken)
    {
        if (request.FormatVersion != StateRequest.CurrentFormatVersion)
        {
            return Refuse(
                $"message format {request.FormatVersion} was found, {StateRequest.CurrentFormatVersion} expected; "
                + "the nodes run different versions");
        }

        if (request.ClusterId != hash.ClusterId)
            return Over;
        if (!catalog.TryFind(request.StateId, out _))
            return Refuse($"the state with id {request.StateId:x8} is not registered on this node");
        var table = view.Current;
        if (table.BackupsOf(request.StateId) is not { } backups || table.FindSet(backups) is not { } set)
            return Over;
        var (reply, news) = engine.Look(
            (request, set), (parts, asked) => Begin(parts, asked.request, asked.set));
        if (news is null)
            return reply;
        using var pause = new CancellationTokenSource(Wait, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(pause.Token, cancellationToken);
        try
        {
            await news.WaitAsync(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // Nothing has changed. The process learns that.
        }

        return engine.Look(request, End);
    }

    private (WatchReply Reply, Task? News) Begin(
        EngineParts parts, WatchRequest request, PartitionId set)
    {
        if (!parts.IsOpen)
            return (Over, null);
        var hub = parts.Feeds;
        if (hub.Find(request.Watch) is not { } feed)
        {
            feed = new ChangeFeed(request.StateId, request.WithValues, set, hash);
            if (request.Number != 0)
                return (Over, null);
            if (!hub.TryAdd(request.Watch, feed))
                return (Refuse($"the node has {FeedHub.FeedsMax} watches already"), null);
        }

        feed.AskedAt = parts.Now.Ticks;
        if (request.Number != feed.Number)
            return (feed.FindLost(request.Number) ?? Over, null);
        return feed.HasNews ? (feed.Reply(parts.Shard, parts.Now), null) : (Over, feed.News);
    }

    // Another request of the same watch may have come meanwhile, because this one was given up by its caller.
    private static WatchReply End(EngineParts parts, WatchRequest request) =>
        parts.IsOpen && parts.Feeds.Find(request.Watch) is { } feed && feed.Number == request.Number
            ? feed.Reply(parts.Shard, parts.Now)
            : Over;

    private static WatchReply Refuse(string why) => new() { Status = WatchReplyStatus.Refused, Message = why };
}
