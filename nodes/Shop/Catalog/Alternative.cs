namespace Shop.Catalog;

/// <summary>A dependency with several choices. Any one of them satisfies it. Immutable.</summary>
public sealed class Alternative : Dependency
{
    private readonly Dependency[] _choices;

    internal Alternative(Package dependent, Dependency[] choices)
        : base(dependent) => _choices = choices;

    /// <summary>The choices, the preferred one first. None of them is an <see cref="Alternative"/>.</summary>
    public IReadOnlyList<Dependency> Choices => _choices;

    /// <inheritdoc />
    public override string Name => string.Join(" | ", _choices.Select(static choice => choice.Name));
}
