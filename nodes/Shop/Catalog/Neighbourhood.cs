namespace Shop.Catalog;

/// <summary>A copy of the part of the catalog around one package, small enough to travel: the answer of
/// <see cref="ICatalog.ExploreAsync"/>. Its packages refer to each other as in the catalog, but only inside the part.
/// Immutable once built.</summary>
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

    /// <summary>The package asked for. All others are reached from it.</summary>
    public Package Root { get; }

    /// <summary>How many packages need the root in the whole catalog.</summary>
    public int DependentCount { get; }

    /// <summary>How many packages this part holds.</summary>
    public int PackageCount { get; }
}
