using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Docs;

/// <summary>Every C# block in a page is a copy of a marked region of a compiled test file. Above the block is
/// <c>&lt;!-- snippet: path#name --&gt;</c>; around the region are <c>// &lt;snippet:name&gt;</c> and <c>//
/// &lt;/snippet:name&gt;</c>.</summary>
internal sealed partial class SnippetRule : IRule
{
    public string Name => "snippets";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) => repository.Pages.SelectMany(
        page => Block().Matches(page.Value)
            .Select(block => (block, Problem: ProblemOf(repository, block)))
            .Where(entry => entry.Problem is not null)
            .Select(entry => new Violation($"{page.Key}:{LineAt(page.Value, entry.block.Index)}", entry.Problem!)));

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.Of(("README.md", "```csharp\nvar a = 1;\n```\n")),
        RepositorySnapshot.Of(("README.md", "<!-- snippet: tests/A.Tests/A.cs#a -->\n```csharp\nvar a = 1;\n```\n")),
        RepositorySnapshot.Of(
            ("README.md", "<!-- snippet: tests/A.Tests/A.cs#a -->\n```csharp\nvar a = 1;\n```\n"),
            ("tests/A.Tests/A.Tests.csproj", "<Project/>"),
            ("tests/A.Tests/A.cs", "    // <snippet:a>\n    var a = 2;\n    // </snippet:a>\n")),
        RepositorySnapshot.Of(
            ("README.md", "<!-- snippet: notes/A.cs#a -->\n```csharp\nvar a = 1;\n```\n"),
            ("notes/A.cs", "// <snippet:a>\nvar a = 1;\n// </snippet:a>\n")),
    ];

    /// <summary>The text of a marked region, without the indentation that all its lines share.</summary>
    public static string? RegionOf(string text, string name)
    {
        var match = Regex.Match(
            text, $@"^[ ]*// <snippet:{Regex.Escape(name)}>\n(.*?)^[ ]*// </snippet:{Regex.Escape(name)}>", RegexMode);
        if (!match.Success)
            return null;

        var lines = match.Groups[1].Value.TrimEnd('\n').Split('\n');
        var indent = lines.Where(line => line.Length > 0).Min(line => line.Length - line.TrimStart(' ').Length);
        return string.Join('\n', lines.Select(line => line.Length == 0 ? line : line[indent..]));
    }

    private const RegexOptions RegexMode = RegexOptions.Multiline | RegexOptions.Singleline;

    private static string? ProblemOf(RepositorySnapshot repository, Match block)
    {
        var (path, name) = (block.Groups["path"].Value, block.Groups["name"].Value);
        if (path.Length == 0)
            return "a C# block without '<!-- snippet: path#name -->' above it: nobody compiles it";

        if (repository.Sources.FirstOrDefault(source => source.Path == path) is not { } source)
            return $"{path} is no file of a project";

        if (RegionOf(source.Text, name) is not { } region)
            return $"{path} has no region <snippet:{name}>";

        return region == block.Groups["code"].Value.TrimEnd('\n')
            ? null
            : $"the block differs from region {name} of {path}, which reads:\n{region}";
    }

    private static int LineAt(string text, int index) => text.AsSpan(0, index).Count('\n') + 1;

    [GeneratedRegex(
        @"(<!-- snippet: (?<path>[^#\s]+)#(?<name>[\w-]+) -->\n)?^```(csharp|cs|c#)\n(?<code>.*?)^```", RegexMode)]
    private static partial Regex Block();
}
