using System.Collections.Frozen;
using System.Collections.Immutable;

namespace Shop.Catalog;

/// <summary>
/// The live graph of all packages of one node. The set of packages is fixed; references between them change while
/// others read. One private lock serializes changes, and each replaces a list whole, so reading takes no lock.
/// </summary>
internal sealed class PackageCatalog(IReadOnlyCollection<PackageRow> rows)
{
    private readonly Lock _lock = new();
    private readonly FrozenDictionary<string, Package> _packages = PackageGraphBuilder.Build(rows);

    /// <summary>All packages, in no particular order.</summary>
    public ImmutableArray<Package> Packages => _packages.Values;

    public static PackageCatalog LoadEmbedded() => new(PackageRowReader.ReadEmbedded());

    public Package? Find(string name) => _packages.GetValueOrDefault(name);

    /// <summary>Makes one package need another from now on; does nothing when it already does.</summary>
    public void AddRequirement(Package dependent, Package target)
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
