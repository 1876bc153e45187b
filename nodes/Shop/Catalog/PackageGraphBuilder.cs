using System.Collections.Frozen;

namespace Shop.Catalog;

/// <summary>Turns rows into a graph of objects: first all packages, then the virtual packages, then the references
/// between packages. One thread uses one builder for one catalog.</summary>
internal sealed class PackageGraphBuilder
{
    private readonly Dictionary<string, Package> _packages;
    private readonly Dictionary<string, Section> _sections = [];
    private readonly Dictionary<string, VirtualPackage> _virtualPackages = [];
    private readonly Dictionary<VirtualPackage, List<Package>> _providers = [];
    private readonly Dictionary<Package, List<Package>> _dependents = [];

    private PackageGraphBuilder(int packageCount) => _packages = new(packageCount, StringComparer.Ordinal);

    public static FrozenDictionary<string, Package> Build(IReadOnlyCollection<PackageRow> rows)
    {
        var builder = new PackageGraphBuilder(rows.Count);
        foreach (var row in rows)
            builder.AddPackage(row);

        foreach (var row in rows)
            builder.AddProvided(row);

        foreach (var row in rows)
            builder.AddDependencies(row);

        builder.SetListsOfOthers();
        return builder._packages.ToFrozenDictionary(StringComparer.Ordinal);
    }

    private void AddPackage(PackageRow row)
    {
        if (!_sections.TryGetValue(row.Section, out var section))
            _sections.Add(row.Section, section = new Section(row.Section));

        var package = new Package(row.Name, row.Version, section, row.InstalledKibibytes);
        if (!_packages.TryAdd(row.Name, package))
            throw new InvalidDataException($"The package data lists {row.Name} twice.");
    }

    private void AddProvided(PackageRow row)
    {
        if (row.Provides.Length == 0)
            return;

        var names = row.Provides.Split(',');
        var provided = new VirtualPackage[names.Length];
        for (var index = 0; index < names.Length; index++)
        {
            provided[index] = VirtualPackageOf(names[index]);
            _providers[provided[index]].Add(_packages[row.Name]);
        }

        _packages[row.Name].SetProvides(provided);
    }

    private VirtualPackage VirtualPackageOf(string name)
    {
        if (!_virtualPackages.TryGetValue(name, out var found))
        {
            _virtualPackages.Add(name, found = new VirtualPackage(name));
            _providers.Add(found, []);
        }

        return found;
    }

    private void AddDependencies(PackageRow row)
    {
        if (row.Dependencies.Length == 0)
            return;

        var dependent = _packages[row.Name];
        var texts = row.Dependencies.Split(',');
        var dependencies = new Dependency[texts.Length];
        for (var index = 0; index < texts.Length; index++)
        {
            dependencies[index] = texts[index].Contains('|', StringComparison.Ordinal)
                ? new Alternative(dependent, [.. texts[index].Split('|').Select(name => Resolve(dependent, name))])
                : Resolve(dependent, texts[index]);
        }

        dependent.SetDependencies(dependencies);
    }

    // A real package wins over a virtual one of the same name, as in the distribution's own tools.
    private Dependency Resolve(Package dependent, string name)
    {
        if (_packages.TryGetValue(name, out var target))
        {
            AddDependent(target, dependent);
            return new Requirement(dependent, target);
        }

        return _virtualPackages.TryGetValue(name, out var provided)
            ? new VirtualRequirement(dependent, provided)
            : new ExternalRequirement(dependent, name);
    }

    private void AddDependent(Package target, Package dependent)
    {
        if (!_dependents.TryGetValue(target, out var dependents))
            _dependents.Add(target, dependents = []);

        // Dependencies are added package by package, so a repeated dependent is always the last one in the list.
        if (dependents.Count == 0 || dependents[^1] != dependent)
            dependents.Add(dependent);
    }

    private void SetListsOfOthers()
    {
        foreach (var (target, dependents) in _dependents)
            target.SetDependents([.. dependents]);

        foreach (var (provided, providers) in _providers)
            provided.SetProviders([.. providers]);
    }
}
