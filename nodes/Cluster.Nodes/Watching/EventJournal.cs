using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Watching;

/// <summary>Writes each event of the cluster into the log, one line each, and into the metrics. Stateless.</summary>
internal sealed partial class EventJournal(NodeMetrics metrics, ILogger<EventJournal> logger)
{
    public void Write(ClusterEvent happened)
    {
        metrics.Count(happened);
        var node = LogText.Clean(happened.Node?.ToString() ?? "nobody");
        var reason = LogText.Clean(happened.Reason);
        switch (happened.Kind)
        {
            case ClusterEventKind.NodeJoined:
                LogJoined(logger, node, happened.TableVersion);
                break;
            case ClusterEventKind.NodeDraining:
                LogDraining(logger, node, happened.TableVersion);
                break;
            case ClusterEventKind.NodeLeft:
                LogLeft(logger, node, happened.TableVersion);
                break;
            case ClusterEventKind.NodeDied:
                LogDied(logger, node, happened.TableVersion, reason);
                break;
            case ClusterEventKind.PartitionsLost:
                LogLost(
                    logger, happened.PartitionCount, node, LogText.Clean(DescribeEntries(happened)),
                    happened.TableVersion, reason);
                break;
            case ClusterEventKind.PartitionsMoved:
                LogMoved(logger, happened.PartitionCount, node, happened.TableVersion);
                break;
            case ClusterEventKind.PartitionsAssigned:
                LogAssigned(logger, happened.PartitionCount, node, happened.TableVersion);
                break;
            case ClusterEventKind.CopiesMissing:
                LogCopiesMissing(logger, happened.PartitionCount, happened.TableVersion);
                break;
            case ClusterEventKind.CopiesComplete:
                LogCopiesComplete(logger, happened.TableVersion);
                break;
            default:
                // The loss, the return and the restoration of the store are logged where they are found.
                break;
        }
    }

    private static string DescribeEntries(ClusterEvent happened) => happened.EntriesLost is { } entries
        ? string.Create(CultureInfo.InvariantCulture, $"{entries} entries when they were last counted")
        : "an unknown number of entries: they were not counted, or snapshots give a part of them back";
}
