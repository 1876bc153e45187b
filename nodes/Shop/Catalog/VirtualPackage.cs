namespace Shop.Catalog;

/// <summary>A name that several packages provide, such as <c>mail-transport-agent</c>. The list of providers is
/// complete in the catalog and cut in a reply; it is set once, while the graph is built.</summary>
public sealed class VirtualPackage
{
    private Package[] _providers = [];

    internal VirtualPackage(string name) => Name = name;

    /// <summary>The provided name.</summary>
    public string Name { get; }

    /// <summary>The packages that provide it.</summary>
    public IReadOnlyList<Package> Providers => _providers;

    internal void SetProviders(Package[] providers) => _providers = providers;
}
