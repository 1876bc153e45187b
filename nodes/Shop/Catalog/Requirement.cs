namespace Shop.Catalog;

/// <summary>A dependency on one package. Immutable.</summary>
public sealed class Requirement : Dependency
{
    internal Requirement(Package dependent, Package target)
        : base(dependent) => Target = target;

    /// <summary>The package that is needed.</summary>
    public Package Target { get; }

    /// <inheritdoc />
    public override string Name => Target.Name;
}
