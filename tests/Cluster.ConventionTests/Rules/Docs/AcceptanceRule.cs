using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Docs;

/// <summary>A row of docs/acceptance.md is <c>| id | case | tests |</c>. Every named test exists, ids are unique, and a
/// row without tests gives the reason in words.</summary>
internal sealed partial class AcceptanceRule : IRule
{
    private const string PagePath = "docs/acceptance.md";

    public string Name => "acceptance";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        var tests = TestMethods.NamesIn(repository);
        var ids = new HashSet<string>();
        foreach (var (index, line) in repository.Files.GetValueOrDefault(PagePath, "").Split('\n').Index())
        {
            if (!line.StartsWith("| `", StringComparison.Ordinal))
                continue;

            string[] cells = [.. line.Trim().Trim('|').Split('|').Select(cell => cell.Trim())];
            foreach (var problem in ProblemsOf(cells, tests, ids))
                yield return new Violation($"{PagePath}:{index + 1}", problem);
        }
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.Of((PagePath, "| `slim-A` | numbers | `NumberTests.Gone` |")),
        RepositorySnapshot.Of((PagePath, "| `slim-A` | numbers | |")),
        RepositorySnapshot.Of((PagePath, "| `slim-A` | numbers | not yet |\n| `slim-A` | text | not yet |")),
    ];

    private static IEnumerable<string> ProblemsOf(string[] cells, HashSet<string> tests, HashSet<string> ids)
    {
        if (cells.Length != 3)
            return ["expected '| `id` | case | tests |'"];

        var named = Code().Matches(cells[2]).Select(match => match.Groups[1].Value).ToArray();
        var problems = named.Where(name => !tests.Contains(name)).Select(name => $"there is no test {name}");
        if (named.Length == 0 && cells[2].Length == 0)
            problems = problems.Append("no tests, and no word why");

        return ids.Add(cells[0]) ? problems : problems.Append($"{cells[0]} is there twice");
    }

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Code();
}
