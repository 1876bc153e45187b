using Cluster.StateStore.Client;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Local;

/// <summary>What all partitions of a node share. Immutable but for the seed source, which a lock protects.</summary>
internal sealed class PartitionContext(
    StateCatalog catalog, RecordHeap heap, ITableView view, NodeStateStoreOptions options)
{
    private readonly Lock _lock = new();
    private readonly Random _seeds = new(options.Seed);

    internal StateCatalog Catalog { get; } = catalog;

    internal RecordHeap Heap { get; } = heap;

    internal ITableView View { get; } = view;

    /// <summary>The incarnation of this node, by which others tell whose transfer arrives.</summary>
    internal Guid SelfIncarnation => View.Self?.Incarnation ?? Guid.Empty;

    internal TimeProvider Time { get; } = options.Time;

    internal TimeSpan KeyWaitMax { get; } = options.KeyWaitMax;

    internal TimeSpan SealWaitMax { get; } = options.SealWaitMax;

    /// <summary>A random number for one run of an operation.</summary>
    internal int NextSeed()
    {
        lock (_lock) return _seeds.Next();
    }
}
