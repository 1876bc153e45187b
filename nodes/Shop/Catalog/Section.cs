namespace Shop.Catalog;

/// <summary>A section of the distribution, such as <c>libs</c>. All packages of the section share one object, in the
/// catalog and in every reply. Immutable.</summary>
/// <remarks>Names a section.</remarks>
/// <param name="name">The distribution's name for the section.</param>
public sealed class Section(string name)
{

    /// <summary>The distribution's name for the section.</summary>
    public string Name { get; } = name;
}
