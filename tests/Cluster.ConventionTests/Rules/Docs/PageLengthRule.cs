using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Docs;

/// <summary>README has at most 200 lines, ARCHITECTURE and each format page at most 400, and a decision record at most
/// 80.</summary>
internal sealed class PageLengthRule : IRule
{
    private static readonly string[] Required = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "LICENSE"];

    private static readonly (string Prefix, int Max)[] Limits =
        [("README.md", 200), ("ARCHITECTURE.md", 400), ("docs/formats/", 400), ("docs/decisions/", 80)];

    public string Name => "page-length";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        var missing = Required.Where(path => !repository.Files.ContainsKey(path))
            .Select(path => new Violation(path, "is missing"));
        var tooLong =
            from page in repository.Pages
            from limit in Limits
            where page.Key.StartsWith(limit.Prefix, StringComparison.Ordinal)
            let count = page.Value.TrimEnd().Split('\n').Length
            where count > limit.Max
            select new Violation(page.Key, $"{count} lines, at most {limit.Max}");
        return [.. missing, .. tooLong];
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.Of(("README.md", "")),
        RepositorySnapshot.Of(
            ("README.md", string.Concat(Enumerable.Repeat("a\n", 201))),
            ("ARCHITECTURE.md", ""),
            ("CHANGELOG.md", ""),
            ("LICENSE", "")),
    ];
}
