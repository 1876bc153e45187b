using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Docs;

/// <summary>Decision records have unique numbers, and sections for status, context, decision and
/// consequences.</summary>
internal sealed partial class DecisionRule : IRule
{
    private const string Folder = "docs/decisions/";
    private static readonly string[] Sections = ["Status", "Context", "Decision", "Consequences"];

    public string Name => "decisions";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        var records = repository.Pages.Where(page => page.Key.StartsWith(Folder, StringComparison.Ordinal)).ToArray();
        var unnamed = records.Where(record => !FileName().IsMatch(record.Key))
            .Select(record => new Violation(record.Key, "is not named 0000-what-was-decided.md"));
        var doubled = records.GroupBy(record => record.Key[Folder.Length..].Split('-')[0])
            .Where(group => group.Count() > 1)
            .Select(group => new Violation(group.Last().Key, $"number {group.Key} is taken"));
        var incomplete =
            from record in records
            from section in Sections
            where !Regex.IsMatch(record.Value, $@"^(## |\*\*|- \*\*){section}", RegexOptions.Multiline)
            select new Violation(record.Key, $"has no section {section}");
        return [.. unnamed, .. doubled, .. incomplete];
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.Of(($"{Folder}0001-a.md", "## Status\n## Context\n## Decision\n")),
        RepositorySnapshot.Of(($"{Folder}idea.md", "## Status\n## Context\n## Decision\n## Consequences\n")),
        RepositorySnapshot.Of(
            ($"{Folder}0001-a.md", "## Status\n## Context\n## Decision\n## Consequences\n"),
            ($"{Folder}0001-b.md", "## Status\n## Context\n## Decision\n## Consequences\n")),
    ];

    [GeneratedRegex(@"/\d{4}-[a-z0-9-]+\.md$")]
    private static partial Regex FileName();
}
