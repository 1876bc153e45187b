using Cluster.Pile.Caching;
using Cluster.Pile.Snapshots;

namespace Cluster.Pile.Observation;

/// <summary>An open pile as the meter sees it. Held by its pile; immutable.</summary>
internal sealed record ObservedPile(
    string Name, StatisticsCollector Statistics, CacheDirectory Caches, SnapshotCounters Snapshots);
