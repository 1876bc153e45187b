namespace Cluster.Contracts.Help;

/// <summary>Makes the links from errors and diagnostics to the pages that explain them. Each assembly that needs links
/// compiles this file, because a build writes the repository's address into each assembly. Stateless.</summary>
internal static class HelpPage
{
    private const string ErrorCatalogue = "docs/error-catalogue.md";

    private const string AddressKey = "RepositoryUrl";

    // Without a known address, a link is the path of the page in the repository.
    private static readonly string Root = typeof(HelpPage).Assembly
        .GetCustomAttributes<AssemblyMetadataAttribute>()
        .Where(static entry => entry.Key == AddressKey)
        .Select(static entry => $"{entry.Value}/blob/HEAD/")
        .FirstOrDefault() ?? "";

    /// <summary>The link to a heading of a page.</summary>
    /// <param name="page">The path of the page in the repository.</param>
    /// <param name="heading">The heading, without spaces.</param>
    public static string LinkTo(string page, string heading) => $"{Root}{page}#{heading.ToLowerInvariant()}";

    /// <summary>The link to the heading of an error in the catalogue.</summary>
    /// <param name="error">The error.</param>
    /// <param name="code">Its code; null where the type of the error has one heading.</param>
    public static string LinkTo(Exception error, Enum? code = null)
    {
        var type = error.GetType().Name;
        return LinkTo(ErrorCatalogue, code is null ? type : $"{type}-{code}");
    }
}
