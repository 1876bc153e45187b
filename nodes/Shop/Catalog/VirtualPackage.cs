namespace Shop.Catalog;

/// <summary>A name that several packages provide, such as <c>mail-transport-agent</c>. In the catalog the list of
/// providers is complete. In a reply it has only the providers that the reply contains. It is set once, while the graph
/// is built.</summary>
public sealed class VirtualPackage
{
    private Package[] _providers = [];

    internal VirtualPackage(string name) => Name = name;

    /// <summary>The provided name.</summary>
    public string Name { get; }

    /// <summary>The packages that provide the name.</summary>
    public IReadOnlyList<Package> Providers => _providers;

    internal void SetProviders(Package[] providers) => _providers = providers;
}
