using System.Threading.Channels;

namespace Cluster.Nodes.Watching;

/// <summary>Writes every event into the journal and sends it to all watchers. Each watcher has a bounded queue that
/// drops its oldest events, so that a slow watcher delays nobody. The channels protect themselves.</summary>
internal sealed class EventBoard(EventJournal journal)
{
    public const int QueueLengthMax = 1_024;

    private readonly ConcurrentDictionary<Channel<ClusterEvent>, byte> _watchers = new();

    public void Announce(ClusterEvent happened)
    {
        journal.Write(happened);
        foreach (var watcher in _watchers.Keys)
            watcher.Writer.TryWrite(happened);
    }

    /// <summary>Watching begins with this call, not with the first step of the enumeration.</summary>
    public IAsyncEnumerable<ClusterEvent> WatchAsync(CancellationToken cancellationToken)
    {
        var channel = Channel.CreateBounded<ClusterEvent>(
            new BoundedChannelOptions(QueueLengthMax)
            { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true });
        _watchers.TryAdd(channel, 0);
        return ReadAsync(channel, cancellationToken);
    }

    private async IAsyncEnumerable<ClusterEvent> ReadAsync(
        Channel<ClusterEvent> channel, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        try
        {
            await foreach (var happened in channel.Reader.ReadAllAsync(cancellationToken).ConfigureAwait(false))
                yield return happened;
        }
        finally
        {
            _watchers.TryRemove(channel, out _);
        }
    }
}
