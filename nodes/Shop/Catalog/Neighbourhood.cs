namespace Shop.Catalog;

/// <summary>A copy of the part of the catalog around one package, small enough for a message: the answer of
/// <see cref="ICatalog.ExploreAsync"/>. Its packages refer to each other as in the catalog, but to no package outside
/// the part. Immutable once built.</summary>
public sealed class Neighbourhood
{
    internal Neighbourhood(string node, Package root, int dependentCount, int packageCount)
    {
        Node = node;
        Root = root;
        DependentCount = dependentCount;
        PackageCount = packageCount;
    }

    /// <summary>The name of the node that answered.</summary>
    public string Node { get; }

    /// <summary>The package that the caller asked for. All other packages can be reached from it.</summary>
    public Package Root { get; }

    /// <summary>The number of packages in the whole catalog that need the root.</summary>
    public int DependentCount { get; }

    /// <summary>The number of packages in this part.</summary>
    public int PackageCount { get; }
}
