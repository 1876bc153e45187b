using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Engine.Feeds;

/// <summary>The watches of other processes, and of this one, at this node. Used under the engine's lock.</summary>
internal sealed class FeedHub : IChangeSink
{
    /// <summary>The most watches of a node.</summary>
    public const int FeedsMax = 1_024;

    // A process that asks no more has ended, or begins again.
    private static readonly TimeSpan IdleMax = TimeSpan.FromSeconds(30);

    private readonly Dictionary<Guid, ChangeFeed> _feeds = [];

    /// <inheritdoc />
    public bool IsWatching => _feeds.Count > 0;

    /// <inheritdoc />
    public void Applied(Replica replica, in LogEntry entry)
    {
        foreach (var feed in _feeds.Values)
            feed.Add(replica, entry);
    }

    /// <summary>Finds a watch; null: it is not known.</summary>
    public ChangeFeed? Find(Guid watch) => _feeds.GetValueOrDefault(watch);

    /// <summary>Adds a watch.</summary>
    /// <returns>False: there are too many.</returns>
    public bool TryAdd(Guid watch, ChangeFeed feed)
    {
        if (_feeds.Count >= FeedsMax)
            return false;
        _feeds[watch] = feed;
        return true;
    }

    /// <summary>Ends the watches that nobody asks for any more.</summary>
    public void Tick(Moment now)
    {
        foreach (var (watch, feed) in _feeds)
        {
            if (now.Ticks - feed.AskedAt > IdleMax.Ticks)
                _feeds.Remove(watch);
        }
    }
}
