namespace Shop.Catalog;

/// <summary>A dependency on something that the catalog does not contain. Immutable.</summary>
public sealed class ExternalRequirement : Dependency
{
    private readonly string _name;

    internal ExternalRequirement(Package dependent, string name)
        : base(dependent) => _name = name;

    /// <inheritdoc />
    public override string Name => _name;
}
