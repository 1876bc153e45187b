namespace Shop.Catalog;

/// <summary>A dependency that any one of several others satisfies. Immutable.</summary>
public sealed class Alternative : Dependency
{
    private readonly Dependency[] _choices;

    internal Alternative(Package dependent, Dependency[] choices)
        : base(dependent) => _choices = choices;

    /// <summary>The others, the preferred one first; no alternatives among them.</summary>
    public IReadOnlyList<Dependency> Choices => _choices;

    /// <inheritdoc />
    public override string Name => string.Join(" | ", _choices.Select(static choice => choice.Name));
}
