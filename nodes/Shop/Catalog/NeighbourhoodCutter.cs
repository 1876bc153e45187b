namespace Shop.Catalog;

/// <summary>Copies a bounded part of the live graph around one package. It first chooses the packages, then copies the
/// references between the chosen packages. Each answer has its own object, which one thread uses.</summary>
internal sealed class NeighbourhoodCutter
{
    public const int PackageCountMax = 24;
    public const int RootDependencyCountMax = 12;
    public const int RootDependentCountMax = 8;
    public const int ChoiceCountMax = 3;
    public const int OtherDependencyCountMax = 4;

    private readonly Dictionary<Package, Package> _copies = new(PackageCountMax);
    private readonly List<Package> _chosen = new(PackageCountMax);
    private readonly List<Dependency> _dependencies = new(RootDependencyCountMax);
    private readonly Dictionary<Package, List<Package>> _dependents = new(PackageCountMax);
    private Dictionary<VirtualPackage, VirtualPackage>? _virtualCopies;

    private NeighbourhoodCutter()
    {
    }

    public static Neighbourhood Cut(string node, Package root, int dependentsFrom)
    {
        var cutter = new NeighbourhoodCutter();
        cutter.Choose(root);
        cutter.ChooseTargets(root);
        cutter.ChooseDependents(root, dependentsFrom);
        foreach (var package in cutter._chosen)
            cutter.CopyDependencies(package, isRoot: package == root);

        cutter.SetListsOfOthers();
        return new Neighbourhood(node, cutter._copies[root], root.DependentSpan.Length, cutter._chosen.Count);
    }

    private void Choose(Package package)
    {
        if (_chosen.Count < PackageCountMax && !_copies.ContainsKey(package))
        {
            _copies.Add(package, package.CopyWithoutReferences());
            _chosen.Add(package);
        }
    }

    private void ChooseTargets(Package root)
    {
        var dependencies = root.DependencySpan;
        foreach (var dependency in dependencies[..Math.Min(dependencies.Length, RootDependencyCountMax)])
            ChooseTargets(dependency);
    }

    private void ChooseTargets(Dependency dependency)
    {
        switch (dependency)
        {
            case Requirement requirement:
                Choose(requirement.Target);
                break;
            case VirtualRequirement virtualRequirement:
                ChooseFirst(virtualRequirement.Target.Providers);
                break;
            case Alternative alternative:
                ChooseFirstTargets(alternative.Choices);
                break;
        }
    }

    private void ChooseFirst(IReadOnlyList<Package> packages)
    {
        for (var index = 0; index < Math.Min(packages.Count, ChoiceCountMax); index++)
            Choose(packages[index]);
    }

    private void ChooseFirstTargets(IReadOnlyList<Dependency> choices)
    {
        for (var index = 0; index < Math.Min(choices.Count, ChoiceCountMax); index++)
            ChooseTargets(choices[index]);
    }

    private void ChooseDependents(Package root, int from)
    {
        var dependents = root.DependentSpan;
        var count = Math.Min(dependents.Length, RootDependentCountMax);
        for (var index = 0; index < count; index++)
            Choose(dependents[(int)(((uint)from + (uint)index) % (uint)dependents.Length)]);
    }

    // Copied are the first dependencies of the root, all dependencies on the root, and a few others. Some packages need
    // hundreds of others, and copies of all of them would make the answer too large.
    private void CopyDependencies(Package package, bool isRoot)
    {
        _dependencies.Clear();
        var dependent = _copies[package];
        var otherCount = 0;
        foreach (var dependency in package.DependencySpan)
        {
            var isKept = isRoot ? _dependencies.Count < RootDependencyCountMax : IsOnRoot(dependency);
            if (!isKept && (isRoot || otherCount == OtherDependencyCountMax || !IsOnChosen(dependency)))
                continue;

            otherCount += isKept ? 0 : 1;
            _dependencies.Add(Copy(dependent, dependency));
        }

        dependent.SetDependencies([.. _dependencies]);
    }

    private bool IsOnRoot(Dependency dependency) => dependency switch
    {
        Requirement requirement => requirement.Target == _chosen[0],
        Alternative alternative => alternative.Choices.Any(IsOnRoot),
        _ => false,
    };

    private bool IsOnChosen(Dependency dependency) =>
        dependency is Requirement requirement && _copies.ContainsKey(requirement.Target);

    // If the target was not chosen, only its name is copied.
    private Dependency Copy(Package dependent, Dependency dependency)
    {
        switch (dependency)
        {
            case Requirement requirement when _copies.TryGetValue(requirement.Target, out var target):
                AddDependent(target, dependent);
                return new Requirement(dependent, target);
            case VirtualRequirement virtualRequirement:
                return new VirtualRequirement(dependent, CopyOf(virtualRequirement.Target));
            case Alternative alternative:
                return CopyChoices(dependent, alternative.Choices);
            default:
                return new ExternalRequirement(dependent, dependency.Name);
        }
    }

    private Alternative CopyChoices(Package dependent, IReadOnlyList<Dependency> choices)
    {
        var copies = new Dependency[choices.Count];
        for (var index = 0; index < copies.Length; index++)
            copies[index] = Copy(dependent, choices[index]);

        return new Alternative(dependent, copies);
    }

    private VirtualPackage CopyOf(VirtualPackage target)
    {
        _virtualCopies ??= [];
        if (!_virtualCopies.TryGetValue(target, out var copy))
        {
            _virtualCopies.Add(target, copy = new VirtualPackage(target.Name));
            copy.SetProviders([.. target.Providers.Where(_copies.ContainsKey).Select(provider => _copies[provider])]);
        }

        return copy;
    }

    private void AddDependent(Package target, Package dependent)
    {
        if (!_dependents.TryGetValue(target, out var dependents))
            _dependents.Add(target, dependents = []);

        if (!dependents.Contains(dependent))
            dependents.Add(dependent);
    }

    private void SetListsOfOthers()
    {
        foreach (var (target, dependents) in _dependents)
            target.SetDependents([.. dependents]);

        foreach (var (provided, copy) in _virtualCopies ?? [])
            AddProvided(copy);
    }

    private static void AddProvided(VirtualPackage copy)
    {
        foreach (var provider in copy.Providers)
            provider.SetProvides([.. provider.Provides, copy]);
    }
}
