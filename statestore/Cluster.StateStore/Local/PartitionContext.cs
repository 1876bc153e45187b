using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Local;

/// <summary>The catalog, heap, table view and options that all partitions of a node share. Immutable but for the seed
/// source, which a lock protects.</summary>
internal sealed class PartitionContext(
    StateCatalog catalog, RecordHeap heap, ITableView view, NodeStateStoreOptions options)
{
    private readonly Lock _lock = new();
    private readonly Random _seeds = new(options.Seed);

    public StateCatalog Catalog { get; } = catalog;

    public RecordHeap Heap { get; } = heap;

    public ITableView View { get; } = view;

    /// <summary>The incarnation of this node, which names the sender of a transfer.</summary>
    public Guid SelfIncarnation => View.Self?.Incarnation ?? Guid.Empty;

    public TimeProvider Time { get; } = options.Time;

    public TimeSpan MaxKeyWait { get; } = options.MaxKeyWait;

    public TimeSpan MaxSealWait { get; } = options.MaxSealWait;

    /// <summary>A random number for one run of an operation.</summary>
    public int NextSeed()
    {
        lock (_lock)
            return _seeds.Next();
    }
}
