using Cluster.Nodes;

namespace Shop.Drive.Front;

/// <summary>Keeps the last cluster events as sentences for views, and reports deaths to the watch. One loop of its
/// owner adds events and replaces the whole list, so any thread may read it.</summary>
internal sealed class EventRibbon(ClusterWatch watch, Func<string, Task> announce)
{
    public const int EventCountMax = 8;

    private volatile object _events = ImmutableArray<string>.Empty;

    /// <summary>The sentences, the newest first.</summary>
    public ImmutableArray<string> Events => (ImmutableArray<string>)_events;

    public async Task FollowAsync(ICluster cluster, CancellationToken cancellationToken)
    {
        try
        {
            await foreach (var happened in cluster.WatchAsync(cancellationToken).ConfigureAwait(false))
            {
                if (happened is { Kind: ClusterEventKind.NodeDied, Node: { } dead })
                    watch.NoteDeath(dead);

                var sentence = Describe(happened);
                ImmutableArray<string> events = [sentence, .. Events.Take(EventCountMax - 1)];
                _events = events;
                await announce(sentence).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The run is over.
        }
    }

    public static string Describe(ClusterEvent happened)
    {
        var node = happened.Node?.Name ?? "a node";
        var count = happened.PartitionCount.ToString("N0", CultureInfo.InvariantCulture);
        return happened.Kind switch
        {
            ClusterEventKind.NodeJoined => $"{node} has joined",
            ClusterEventKind.NodeDraining => $"{node} hands its partitions over",
            ClusterEventKind.NodeLeft => $"{node} has left",
            ClusterEventKind.NodeDied => $"{node} is dead: {happened.Reason}",
            ClusterEventKind.PartitionsLost => $"{count} partitions lost with {node}, {DescribeEntries(happened)}",
            ClusterEventKind.PartitionsMoved => $"{count} partitions moved to {node}",
            ClusterEventKind.PartitionsAssigned => $"{count} partitions assigned to {node}",
            ClusterEventKind.CopiesMissing => $"{count} partitions lack copies",
            ClusterEventKind.CopiesComplete => "all partitions have their copies",
            ClusterEventKind.StoreUnreachable => $"the cluster store does not answer: {happened.Reason}",
            ClusterEventKind.StoreRestored => "the cluster store was emptied; its table is written again",
            ClusterEventKind.StoreReachable => "the cluster store answers again",
            _ => $"{happened.Kind} {happened.Reason}",
        };
    }

    private static string DescribeEntries(ClusterEvent happened) => happened.EntriesLost is { } lost
        ? $"about {lost.ToString("N0", CultureInfo.InvariantCulture)} entries"
        : "entries unknown";
}
