using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Docs;

/// <summary>Every file or folder that a page links to or names in code font exists; above all those in the code tables
/// of format pages. Generated places (bin, TestResults) and patterns are not checked.</summary>
internal sealed partial class FilePathRule : IRule
{
    private static readonly string[] TopFolders =
        ["contracts/", "glue/", "statestore/", "nodes/", "tests/", "docs/", "deploy/", ".ci/"];

    public string Name => "file-paths";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from page in repository.Pages
        from line in page.Value.Split('\n').Index()
        from match in Code().Matches(line.Item).Concat(Link().Matches(line.Item))
        let path = match.Groups[1].Value.TrimEnd('/')
        let resolved = match.Value[0] == '`' ? path : Resolve(page.Key, path)
        where resolved is not null && (match.Value[0] != '`' || IsOurs(path)) && !repository.Exists(resolved)
        select new Violation($"{page.Key}:{line.Index + 1}", $"there is no {resolved}");

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.Of(("docs/formats/slim.md", "| header | `contracts/Cluster.Slim/Gone.cs` |")),
        RepositorySnapshot.Of(("README.md", "see [the architecture](ARCHITECTURE.md)")),
        RepositorySnapshot.Of(("docs/formats/slim.md", "see [the pile](../gone/pile.md#layout)")),
    ];

    private static bool IsOurs(string path) =>
        TopFolders.Any(folder => path.StartsWith(folder, StringComparison.Ordinal))
        && !path.Contains('*', StringComparison.Ordinal);

    // A link is relative to its page. Anchors and links to other sites are not checked here.
    private static string? Resolve(string page, string link)
    {
        var path = link.Split('#')[0];
        if (path.Length == 0 || path.Contains("://", StringComparison.Ordinal))
            return null;

        var absolute = Path.GetFullPath(Path.Combine("/", Path.GetDirectoryName(page)!, path));
        return Path.GetRelativePath("/", absolute).Replace('\\', '/');
    }

    [GeneratedRegex(@"`([\w.-]+/[\w./{}*-]+)`")]
    private static partial Regex Code();

    [GeneratedRegex(@"\]\(([^)\s]+)\)")]
    private static partial Regex Link();
}
