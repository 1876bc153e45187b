using Cluster.Nodes;
using Microsoft.Extensions.Options;

namespace HybridCachePage;

/// <summary>Stands for a slow database. It counts how often it is asked.</summary>
/// <param name="node">The options of this node.</param>
public sealed class Warehouse(IOptions<ClusterOptions> node)
{
    private int _count;

    /// <summary>Finds a product, after half a second.</summary>
    /// <param name="id">The number of the product.</param>
    /// <param name="cancellationToken">Ends the search.</param>
    public async Task<Product> FindAsync(int id, CancellationToken cancellationToken)
    {
        var question = Interlocked.Increment(ref _count);
        await Task.Delay(TimeSpan.FromMilliseconds(500), TimeProvider.System, cancellationToken);
        return new Product(id, $"Product {id}", node.Value.NodeName ?? "", question);
    }
}
