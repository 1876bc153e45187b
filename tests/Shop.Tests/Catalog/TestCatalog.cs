using Shop.Catalog;

namespace Shop.Tests.Catalog;

/// <summary>The embedded catalog, loaded once for all tests that do not change it, and small catalogs for single
/// tests.</summary>
internal static class TestCatalog
{
    private static readonly Lazy<PackageCatalog> Whole = new(PackageCatalog.LoadEmbedded);

    public static PackageCatalog Shipped => Whole.Value;

    /// <summary>A catalog of packages, each given as <c>name</c>, <c>name: dependencies</c> or <c>name: dependencies;
    /// provided</c>.</summary>
    public static PackageCatalog Of(params string[] packages) => new([.. packages.Select(Row)]);

    private static PackageRow Row(string text, int index)
    {
        var (name, rest) = Split(text, ':');
        var (dependencies, provides) = Split(rest, ';');
        return new PackageRow(name, $"1.{index}", "test", 100 + index, Tight(dependencies), Tight(provides));
    }

    private static (string, string) Split(string text, char separator)
    {
        var parts = text.Split(separator, 2);
        return (parts[0].Trim(), parts.Length > 1 ? parts[1].Trim() : "");
    }

    private static string Tight(string list) => list.Replace(" ", "", StringComparison.Ordinal);
}
