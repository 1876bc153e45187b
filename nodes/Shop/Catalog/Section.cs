namespace Shop.Catalog;

/// <summary>A part of the distribution, such as <c>libs</c>; one object shared by all its packages, in the catalog and
/// in every reply. Immutable.</summary>
/// <remarks>Names a section.</remarks>
/// <param name="name">As the distribution calls it.</param>
public sealed class Section(string name)
{

    /// <summary>As the distribution calls it.</summary>
    public string Name { get; } = name;
}
