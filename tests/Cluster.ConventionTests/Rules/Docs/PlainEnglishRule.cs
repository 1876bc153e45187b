using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Docs;

/// <summary>The pages that users read contain none of the phrases that leave open who does what, and none of the words
/// that docs/glossary.md has replaced. Code blocks and text in code font are not checked.</summary>
internal sealed partial class PlainEnglishRule : IRule
{
    // Tables of measured figures and of acceptance cases, whose rows other rules and programs read.
    private static readonly string[] LeftOut = ["docs/benchmarks.md", "docs/acceptance.md"];

    private static readonly (string Phrase, string Instead)[] Phrases =
    [
        ("so many", "say how many of what"),
        ("whoever", "name the thread, caller, process or user"),
        ("whosoever", "name the thread, caller, process or user"),
        ("how it came", "say what happened and why"),
        ("is at it", "say which thread uses or changes it"),
        ("is told otherwise", "say who learns what"),
        ("what stands", "name the thing"),
        ("what lies", "name the thing"),
        ("made anew", "write 'made again' or 'replaced'"),
        ("built anew", "write 'built again'"),
        ("life port", "liveness endpoint"),
        ("death examiner", "failure detector"),
        ("farewell", "drain"),
        ("bulk train", "ordered transfers"),
        ("side log", "pre-image log"),
    ];

    private static readonly Regex Riddle = new(
        $@"\b({string.Join('|', Phrases.Select(entry => entry.Phrase.Replace(" ", @"\s+", StringComparison.Ordinal)))})\b",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant);

    public string Name => "plain-english";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from page in repository.Pages
        where IsUserPage(page.Key)
        let text = Code().Replace(page.Value, Blank)
        from match in Riddle.Matches(text)
        select new Violation(
            $"{page.Key}:{text.AsSpan(0, match.Index).Count('\n') + 1}",
            $"\"{Spaces().Replace(match.Value, " ")}\": {InsteadOf(match.Value)}");

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        .. Phrases.Select(entry => RepositorySnapshot.Of(("docs/a.md", $"Text with {entry.Phrase} in it."))),
        RepositorySnapshot.Of(("README.md", "Text with so\nmany things.")),
        RepositorySnapshot.Of(("CHANGELOG.md", "- Whoever reads this is lost.")),
    ];

    // Format pages and decision records are not checked yet.
    private static bool IsUserPage(string path) =>
        !LeftOut.Contains(path)
        && (!path.Contains('/', StringComparison.Ordinal)
            || (path.StartsWith("docs/", StringComparison.Ordinal) && path.Count(letter => letter == '/') == 1));

    // Line ends stay, so that lines are counted right.
    private static string Blank(Match code) => new('\n', code.Value.AsSpan().Count('\n'));

    private static string InsteadOf(string found) => Phrases
        .First(entry => entry.Phrase.Equals(Spaces().Replace(found, " "), StringComparison.OrdinalIgnoreCase)).Instead;

    [GeneratedRegex(@"^```.*?^```|`[^`\n]*`", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Code();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
