using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Docs;

/// <summary>The page for operators has a row for each warning and error that a node can log, and no row of an event
/// that does not exist. The page of metrics has each metric of <c>Cluster.Nodes</c>.</summary>
internal sealed partial class OperatorPageRule : IRule
{
    private const string Page = "docs/operations.md";
    private const string MetricPage = "docs/observability.md";

    public string Name => "operator-page";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        if (!repository.Files.TryGetValue(Page, out var page))
            yield break;
        var sources = repository.Production
            .Where(source => source.Path.StartsWith("nodes/Cluster.Nodes", StringComparison.Ordinal))
            .ToArray();
        var events = sources.SelectMany(source => Event().Matches(source.Text)).ToArray();
        var rows = Row().Matches(page).Select(match => match.Groups[1].Value).ToHashSet();
        foreach (var match in events)
        {
            var (id, level) = (match.Groups[1].Value, match.Groups[2].Value);
            if (level is "Warning" or "Error" or "Critical" && !rows.Contains(id))
                yield return new Violation(Page, $"there is no row for event {id} ({level})");
        }

        foreach (var id in rows.Where(id => !events.Any(match => match.Groups[1].Value == id)))
            yield return new Violation(Page, $"no node logs event {id}");
        var metrics = repository.Files.GetValueOrDefault(MetricPage, "");
        foreach (var match in sources.SelectMany(source => Metric().Matches(source.Text)))
        {
            var metric = match.Groups[1].Value;
            if (!metrics.Contains($"`{metric}`", StringComparison.Ordinal))
                yield return new Violation(MetricPage, $"the metric {metric} is missing");
        }
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.Of(
            (Page, "no rows"), ("nodes/Cluster.Nodes/X.csproj", "<Project />"),
            ("nodes/Cluster.Nodes/X.Log.cs", "[LoggerMessage(5001, LogLevel.Warning, \"x\")]")),
        RepositorySnapshot.Of((Page, "| 5999 | an event that nobody logs |")),
        RepositorySnapshot.Of(
            (Page, "no rows"), (MetricPage, "no metrics"), ("nodes/Cluster.Nodes/X.csproj", "<Project />"),
            ("nodes/Cluster.Nodes/X.cs", "_meter.CreateCounter<long>(\"cluster.x\")")),
    ];

    [GeneratedRegex(@"LoggerMessage\(\s*(5\d{3}), LogLevel\.(\w+)")]
    private static partial Regex Event();

    [GeneratedRegex(@"^\| (5\d{3}) \|", RegexOptions.Multiline)]
    private static partial Regex Row();

    [GeneratedRegex(@"Create\w+(?:<\w+>)?\(\s*""(cluster\.[\w.]+)""")]
    private static partial Regex Metric();
}
