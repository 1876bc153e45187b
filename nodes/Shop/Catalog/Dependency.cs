namespace Shop.Catalog;

/// <summary>One thing that a package needs, in whatever form it is stated. It points back at the package, so that every
/// graph of packages has cycles. Immutable.</summary>
public abstract class Dependency
{
    private protected Dependency(Package dependent) => Dependent = dependent;

    /// <summary>The package that needs it.</summary>
    public Package Dependent { get; }

    /// <summary>What is needed, as the distribution writes it.</summary>
    public abstract string Name { get; }

    /// <inheritdoc />
    public override string ToString() => Name;
}
