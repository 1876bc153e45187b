namespace Shop.Catalog;

/// <summary>A dependency that any provider of a virtual package satisfies. Immutable.</summary>
public sealed class VirtualRequirement : Dependency
{
    internal VirtualRequirement(Package dependent, VirtualPackage target)
        : base(dependent) => Target = target;

    /// <summary>The virtual package that is needed.</summary>
    public VirtualPackage Target { get; }

    /// <inheritdoc />
    public override string Name => Target.Name;
}
