using Cluster.StateStore;
using Cluster_Service.Contracts;

namespace Cluster_Service.Node;

/// <summary>The service. The container makes it; it needs no base class.</summary>
internal sealed class Stock(IPartitionedState<string, Shelf> shelves) : IStock
{
    /// <inheritdoc />
    public async Task<StockLevel> AddAsync(string product, int count, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);       // the caller gets this exception, too
        var level = await shelves.UpdateAsync(product, new ChangeCount(count), cancellationToken);
        return new StockLevel(product, level ?? 0);
    }

    /// <inheritdoc />
    public async Task<StockLevel?> TakeAsync(string product, int count, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);
        var level = await shelves.UpdateAsync(product, new ChangeCount(-count), cancellationToken);
        return level is null ? null : new StockLevel(product, level.Value);
    }
}
