namespace Shop.Catalog;

/// <summary>One line of the data set, split into columns. Its names are not yet resolved to objects.
/// Immutable.</summary>
/// <param name="Name">The name, unique among the rows.</param>
/// <param name="Version">The distribution's version string.</param>
/// <param name="Section">The section to which the distribution assigns the package.</param>
/// <param name="InstalledKibibytes">Disk space after installation, in KiB.</param>
/// <param name="Dependencies">Dependencies, separated by commas; the alternatives of one dependency are separated by
/// bars.</param>
/// <param name="Provides">Names of the provided virtual packages, separated by commas.</param>
internal sealed record PackageRow(
    string Name, string Version, string Section, int InstalledKibibytes, string Dependencies, string Provides);
