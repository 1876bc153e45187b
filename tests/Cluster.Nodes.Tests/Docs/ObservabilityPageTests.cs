using System.Diagnostics.Metrics;
using System.Text.Json;
using System.Text.RegularExpressions;
using Cluster.Nodes.Tests.Clusters;
using Cluster.Testing;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using Xunit.Abstractions;

namespace Cluster.Nodes.Tests.Docs;

/// <summary>docs/observability.md, the board and the alert rules name the instruments that exist, and no others.</summary>
[Collection(nameof(RunsAlone))]
[Trait("Case", "glue-103")]
public sealed partial class ObservabilityPageTests(ITestOutputHelper output)
{
    private const string Page = "docs/observability.md";
    private const string Board = "deploy/grafana/cluster.json";
    private const string Alerts = "deploy/alerts/cluster.yaml";

    // Labels of Prometheus itself, and of the alerts.
    private static readonly string[] OwnLabels = ["job", "instance", "le", "severity"];

    [Fact]
    public async Task EachInstrument_HasARowWithItsKindAndUnit()
    {
        var found = new ConcurrentDictionary<string, (string Kind, string? Unit)>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (instrument.Meter.Name.StartsWith("Cluster.", StringComparison.Ordinal))
                    found[instrument.Name] = (KindOf(instrument), instrument.Unit);
            },
        };
        listener.Start();
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        var node = await fixture.StartAsync("n1");
        await node.Tallies.PutAsync("one", new Tally { Count = 1 });
        var rows = ReadRows();
        Assert.True(found.Count > 50, $"{found.Count} instruments were found.");
        Assert.Empty(found
            .Where(pair => !rows.TryGetValue(pair.Key, out var row) || (row.Kind, row.Unit) != pair.Value)
            .Select(pair => $"{pair.Key}: no row with {pair.Value.Kind}, {pair.Value.Unit}"));
    }

    [Fact]
    public void EachRow_NamesAnInstrumentOfTheCode()
    {
        var code = string.Join('\n', new[] { "glue", "nodes", "statestore" }
            .SelectMany(folder => Directory.EnumerateFiles(
                Path.Combine(RepositoryFolder.Path, folder), "*.cs", SearchOption.AllDirectories))
            .Select(File.ReadAllText));
        var rows = ReadRows();
        Assert.True(rows.Count > 50, $"{rows.Count} rows were found.");
        Assert.All(rows.Keys, name => Assert.Contains($"\"{name}\"", code, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(Board)]
    [InlineData(Alerts)]
    public void BoardAndAlerts_NameSeriesAndLabelsOfThePage(string path)
    {
        var rows = ReadRows();
        var known = rows.SelectMany(row => SeriesOf(row.Key, row.Value))
            .Concat(rows.Values.SelectMany(row => row.Tags).Select(tag => tag.Replace('.', '_')))
            .Concat(OwnLabels)
            .ToHashSet();
        var used = ExpressionsOf(path).SelectMany(text => Name().Matches(text)).Select(match => match.Value).ToHashSet();
        Assert.True(used.Count > 10, $"{used.Count} names were found.");
        Assert.Subset(known, used);
    }

    [Fact]
    public void EachAlert_HasARowForOperators()
    {
        var page = Read("docs/operations.md");
        var alerts = AlertName().Matches(Read(Alerts)).Select(match => match.Groups[1].Value).ToArray();
        Assert.True(alerts.Length > 10);
        Assert.All(alerts, name => Assert.Contains($"| `{name}` |", page, StringComparison.Ordinal));
        var rows = AlertRow().Matches(page).Select(match => match.Groups[1].Value);
        Assert.Equal(alerts.Order(), rows.Order());
    }

    [Fact]
    public async Task Collecting_TakesTwoLines()
    {
        List<Activity> spans = [];
        List<Metric> measured = [];
        // <snippet:collect>
        using var tracing = Sdk.CreateTracerProviderBuilder().AddSource("Cluster.*").AddInMemoryExporter(spans).Build();
        using var metrics = Sdk.CreateMeterProviderBuilder().AddMeter("Cluster.*").AddInMemoryExporter(measured).Build();
        // </snippet:collect>
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        var node = await fixture.StartAsync("n1");
        await node.Tallies.PutAsync("one", new Tally { Count = 1 });
        metrics.ForceFlush();
        Assert.Contains(spans, span => span.DisplayName == "put tallies");
        Assert.Contains(spans, span => span.DisplayName == "join");
        Assert.Contains(measured, metric => metric.Name == "cluster.state.operation.duration");
        Assert.Contains(measured, metric => metric.Name == "cluster.partitions.owned");
    }

    private static string Read(string path) => File.ReadAllText(Path.Combine(RepositoryFolder.Path, path));

    private static Dictionary<string, Row> ReadRows() => InstrumentRow().Matches(Read(Page)).ToDictionary(
        match => match.Groups["name"].Value,
        match => new Row(match.Groups["kind"].Value, match.Groups["unit"].Value)
        {
            Tags =
            [
                "rpc.method", "cluster.pile.name", "cluster.pile.table",
                .. Code().Matches(match.Groups["tags"].Value).Select(tag => tag.Groups[1].Value),
            ],
        });

    private static IEnumerable<string> ExpressionsOf(string path) => path == Alerts
        ? Expression().Matches(Read(path)).Select(match => match.Groups[1].Value)
        : JsonDocument.Parse(Read(path)).RootElement.GetProperty("panels").EnumerateArray()
            .Where(panel => panel.TryGetProperty("targets", out _))
            .SelectMany(panel => panel.GetProperty("targets").EnumerateArray())
            .Select(target => target.GetProperty("expr").GetString()!);

    // As the exporters of OpenTelemetry name them.
    private static IEnumerable<string> SeriesOf(string name, Row row)
    {
        var suffix = row.Unit switch
        {
            "s" => "_seconds",
            "By" => "_bytes",
            "1" => "_ratio",
            _ => "",
        };
        var series = name.Replace('.', '_');
        if (suffix.Length > 0 && !series.EndsWith(suffix, StringComparison.Ordinal))
            series += suffix;
        return row.Kind switch
        {
            "histogram" => [$"{series}_bucket", $"{series}_sum", $"{series}_count"],
            "counter" => [$"{series}_total"],
            _ => [series],
        };
    }

    private static string KindOf(Instrument instrument) => instrument.GetType().Name switch
    {
        "Counter`1" or "ObservableCounter`1" => "counter",
        "UpDownCounter`1" or "ObservableUpDownCounter`1" => "up-down counter",
        "Histogram`1" => "histogram",
        _ => "gauge",
    };

    [GeneratedRegex(
        @"^\| `(?<name>(?:cluster|rpc)\.[\w.]+)` \| (?<kind>[\w -]+) \| `(?<unit>[^`]+)` \| (?<tags>[^|]*)\|",
        RegexOptions.Multiline)]
    private static partial Regex InstrumentRow();

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Code();

    [GeneratedRegex(@"\b(?:cluster|rpc)_\w+")]
    private static partial Regex Name();

    [GeneratedRegex(@"expr: (.*?)(?=\n        (?:for|labels):)", RegexOptions.Singleline)]
    private static partial Regex Expression();

    [GeneratedRegex(@"alert: (\w+)")]
    private static partial Regex AlertName();

    [GeneratedRegex(@"^\| `(Cluster\w+)` \|", RegexOptions.Multiline)]
    private static partial Regex AlertRow();

    private sealed record Row(string Kind, string Unit)
    {
        public required string[] Tags { get; init; }
    }
}
