namespace Shop.Catalog;

/// <summary>
/// A part of the distribution, such as <c>libs</c>; one object shared by all its packages, in the catalog and in every
/// reply. Immutable.
/// </summary>
public sealed class Section
{
    /// <summary>Names a section.</summary>
    /// <param name="name">As the distribution calls it.</param>
    public Section(string name) => Name = name;

    /// <summary>As the distribution calls it.</summary>
    public string Name { get; }
}
