namespace Shop.Catalog;

/// <summary>One line of the data set, split but not resolved. Immutable.</summary>
/// <param name="Name">Unique among the rows.</param>
/// <param name="Version">The distribution's version string.</param>
/// <param name="Section">Where the distribution files it.</param>
/// <param name="InstalledKibibytes">Disk space after installation.</param>
/// <param name="Dependencies">Requirements separated by commas, alternatives inside one by bars.</param>
/// <param name="Provides">Provided names separated by commas.</param>
internal sealed record PackageRow(
    string Name, string Version, string Section, int InstalledKibibytes, string Dependencies, string Provides);
