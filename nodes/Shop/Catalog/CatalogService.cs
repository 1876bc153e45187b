namespace Shop.Catalog;

/// <summary>Serves <see cref="ICatalog"/> from this node's live graph. Keeps no state but the graph;
/// thread-safe.</summary>
public sealed class CatalogService(NodeName node, PackageCatalog catalog) : ICatalog
{
    /// <inheritdoc />
    public Task<Neighbourhood?> ExploreAsync(string package, int dependentsFrom, CancellationToken cancellationToken)
    {
        var root = catalog.Find(package);
        return Task.FromResult(root is null ? null : NeighbourhoodCutter.Cut(node.Value, root, dependentsFrom));
    }

    /// <inheritdoc />
    public Task<bool> AddRequirementAsync(string dependent, string target, CancellationToken cancellationToken)
    {
        if (catalog.Find(dependent) is not { } from || catalog.Find(target) is not { } to)
            return Task.FromResult(false);

        catalog.AddRequirement(from, to);
        return Task.FromResult(true);
    }
}
