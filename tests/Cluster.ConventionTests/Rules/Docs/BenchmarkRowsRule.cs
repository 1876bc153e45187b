using Cluster.Benchmarks.Harness;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Docs;

/// <summary>The benchmarks print the same rows for which docs/benchmarks.md lists target figures.</summary>
internal sealed class BenchmarkRowsRule : IRule
{
    private const string PagePath = "docs/benchmarks.md";
    private const string TablePath = "tests/Cluster.Benchmarks/rows.json";

    public string Name => "benchmark-rows";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        var written = LinesOf(repository.Files.GetValueOrDefault(PagePath, ""));
        var expected = BenchmarkTable.Parse(repository.Files.GetValueOrDefault(TablePath, "[]")).Rows
            .Select(row => $"{row.Area}: {LineOf(row)}")
            .ToArray();
        return
        [
            .. expected.Except(written).Select(line => new Violation(PagePath, $"lacks {line}")),
            .. written.Except(expected).Select(line => new Violation(TablePath, $"lacks {line}")),
        ];
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.Of((PagePath, "### Slim\n| `a.write` | 1 / 1 | hand | x | ≤ 1.6 | ≤ 1.2 |\n")),
        RepositorySnapshot.Of(
            (PagePath, "### Slim\n| `a` | 1 / 1 | hand | x | ≤ 1.6 | – |\n"),
            (TablePath, """
                [{"area":"slim","name":"a","unit":"x","against":"hand","kind":"plain","sense":"atMost","must":1.5,
                "goal":null,"quickSize":1,"fullSize":1}]
                """)),
    ];

    private static string LineOf(BenchmarkRow row)
    {
        var size = string.Create(CultureInfo.InvariantCulture, $"{row.QuickSize} / {row.FullSize}");
        var goal = row.Goal is null ? "–" : Bound(row, row.Goal);
        return $"| `{row.Name}` | {size} | {row.Against} | {row.Unit} | {Bound(row, row.Must)} | {goal} |";
    }

    private static string Bound(BenchmarkRow row, double? bound) => bound is { } known
        ? string.Create(CultureInfo.InvariantCulture, $"{(row.Sense == FigureSense.AtMost ? '≤' : '≥')} {known}")
        : "report";

    // A heading gives the area of the rows below it.
    private static List<string> LinesOf(string page)
    {
        var lines = new List<string>();
        var area = "";
        foreach (var line in page.Split('\n'))
        {
            if (line.StartsWith("### ", StringComparison.Ordinal))
                area = line[4..].ToLowerInvariant();

            if (line.StartsWith("| `", StringComparison.Ordinal))
                lines.Add($"{area}: {line}");
        }

        return lines;
    }
}
