using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Docs;

/// <summary>Pages and the comments of all code contain none of the phrases that leave open who does what, and
/// none of the words that docs/glossary.md has replaced. Code blocks and text in code font are not checked.</summary>
internal sealed partial class PlainEnglishRule : IRule
{
    // These pages contain tables of measured figures and of acceptance cases, whose rows other rules and programs read.
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
        repository.Pages.Where(page => IsChecked(page.Key))
            .Select(page => (page.Key, Text: Code().Replace(page.Value, Blank)))
            .Concat(repository.Sources.Select(source => (source.Path, Text: CommentsOf(source.Text))))
            .SelectMany(file => Riddle.Matches(file.Text).Select(match => new Violation(
                $"{file.Item1}:{file.Text.AsSpan(0, match.Index).Count('\n') + 1}",
                $"\"{Spaces().Replace(match.Value, " ")}\": {InsteadOf(match.Value)}")));

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        .. Phrases.Select(entry => RepositorySnapshot.Of(("docs/a.md", $"Text with {entry.Phrase} in it."))),
        RepositorySnapshot.Of(("README.md", "Text with so\nmany things.")),
        RepositorySnapshot.Of(("CHANGELOG.md", "- Whoever reads this is lost.")),
        RepositorySnapshot.OfSource("/// <summary>Waits for so\n/// many bytes.</summary>\nclass C;"),
        RepositorySnapshot.OfSource("class C\n{\n    // Whoever calls this waits.\n    int M() => 1;\n}\n"),
    ];

    private static bool IsChecked(string path) =>
        !LeftOut.Contains(path)
        && (!path.Contains('/', StringComparison.Ordinal) || path.StartsWith("docs/", StringComparison.Ordinal));

    // Keeps one line for each line of the source: its comment, or an empty line.
    private static string CommentsOf(string source) =>
        string.Join('\n', source.Split('\n').Select(line => Comment().Match(line).Groups[1].Value));

    // Line ends stay, so that line numbers are right.
    private static string Blank(Match code) => new('\n', code.Value.AsSpan().Count('\n'));

    private static string InsteadOf(string found) => Phrases
        .First(entry => entry.Phrase.Equals(Spaces().Replace(found, " "), StringComparison.OrdinalIgnoreCase)).Instead;

    [GeneratedRegex(@"^```.*?^```|`[^`\n]*`", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Code();

    [GeneratedRegex(@"^\s*//+ ?(.*)$")]
    private static partial Regex Comment();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
