namespace Shop.Catalog;

/// <summary>One package with references to the packages that it needs, to the packages that need it and to the virtual
/// packages that it provides. In the catalog it is live: <see cref="PackageCatalog"/> replaces a whole list under its
/// lock, so that readers see the old or the new list without locking. In a reply it is a copy that only its reader
/// uses.</summary>
public sealed class Package
{
    private Dependency[] _dependencies = [];
    private Package[] _dependents = [];
    private VirtualPackage[] _provides = [];
    private int _orderCount;

    internal Package(string name, string version, Section section, int installedKibibytes)
    {
        Name = name;
        Version = version;
        Section = section;
        InstalledKibibytes = installedKibibytes;
    }

    /// <summary>The name, unique in the catalog.</summary>
    public string Name { get; }

    /// <summary>The distribution's version string.</summary>
    public string Version { get; }

    /// <summary>The section to which the distribution assigns the package.</summary>
    public Section Section { get; }

    /// <summary>Disk space after installation, in KiB.</summary>
    public int InstalledKibibytes { get; }

    /// <summary>The number of copies ordered from the node that answered, since that node started.</summary>
    public int OrderCount => Volatile.Read(ref _orderCount);

    /// <summary>The dependencies of the package.</summary>
    public IReadOnlyList<Dependency> Dependencies => Volatile.Read(ref _dependencies);

    /// <summary>The packages that need this one, directly or as one of several alternatives.</summary>
    public IReadOnlyList<Package> Dependents => Volatile.Read(ref _dependents);

    /// <summary>The virtual packages that this package provides.</summary>
    public IReadOnlyList<VirtualPackage> Provides => _provides;

    internal ReadOnlySpan<Dependency> DependencySpan => Volatile.Read(ref _dependencies);

    internal ReadOnlySpan<Package> DependentSpan => Volatile.Read(ref _dependents);

    /// <inheritdoc />
    public override string ToString() => $"{Name} {Version}";

    internal Package CopyWithoutReferences() =>
        new(Name, Version, Section, InstalledKibibytes) { _orderCount = OrderCount };

    internal void SetDependencies(Dependency[] dependencies) => Volatile.Write(ref _dependencies, dependencies);

    internal void SetDependents(Package[] dependents) => Volatile.Write(ref _dependents, dependents);

    internal void SetProvides(VirtualPackage[] provides) => _provides = provides;

    internal void CountOrder(int quantity) => Interlocked.Add(ref _orderCount, quantity);
}
