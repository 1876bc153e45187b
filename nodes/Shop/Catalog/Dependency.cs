namespace Shop.Catalog;

/// <summary>One dependency of a package; each derived class is one form of stating it. The dependency refers back to
/// the package, so every graph of packages has cycles. Immutable.</summary>
public abstract class Dependency
{
    private protected Dependency(Package dependent) => Dependent = dependent;

    /// <summary>The package that has the dependency.</summary>
    public Package Dependent { get; }

    /// <summary>The needed package, or the alternatives, as the distribution writes them.</summary>
    public abstract string Name { get; }

    /// <inheritdoc />
    public override string ToString() => Name;
}
