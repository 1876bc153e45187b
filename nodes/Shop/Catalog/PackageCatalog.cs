using System.Collections.Frozen;

namespace Shop.Catalog;

/// <summary>The live graph of all packages of one node. The set of packages is fixed; references between them change
/// while other threads read. One private lock serializes changes. Each change replaces a whole list, so readers take no
/// lock.</summary>
public sealed class PackageCatalog
{
    private readonly Lock _lock = new();
    private readonly FrozenDictionary<string, Package> _packages;

    internal PackageCatalog(IReadOnlyCollection<PackageRow> rows) => _packages = PackageGraphBuilder.Build(rows);

    internal ImmutableArray<Package> Packages => _packages.Values;

    /// <summary>Builds the graph from the data set that ships inside this assembly.</summary>
    public static PackageCatalog LoadEmbedded() => new(PackageRowReader.ReadEmbedded());

    /// <summary>Returns the names of all packages in the data set, in the order of the data set.</summary>
    public static IReadOnlyList<string> ReadNames() =>
        PackageRowReader.ReadEmbedded().ConvertAll(static row => row.Name);

    /// <summary>Returns the package with a name, or <c>null</c> if there is none.</summary>
    /// <param name="name">The package's name.</param>
    public Package? Find(string name) => _packages.GetValueOrDefault(name);

    /// <summary>Makes one package need another. Does nothing if it already does.</summary>
    internal void AddRequirement(Package dependent, Package target)
    {
        lock (_lock)
        {
            if (dependent.Dependencies.OfType<Requirement>().Any(known => known.Target == target))
                return;

            dependent.SetDependencies([.. dependent.DependencySpan, new Requirement(dependent, target)]);
            target.SetDependents([.. target.DependentSpan, dependent]);
        }
    }
}
