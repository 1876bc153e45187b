namespace Samples.Tests;

public sealed class TelemetryTests
{
    [Fact]
    public async Task SpansAndMetrics_ReachTheCollector()
    {
        await using var collector = await StandInCollector.StartAsync();
        var output = await SampleProcess.RunAsync(
            "Telemetry",
            null,
            [],
            ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.Address),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"));
        Assert.Contains("Visit 10", output, StringComparison.Ordinal);
        var traces = collector.TextOf("/v1/traces");
        Assert.All(
            ["Cluster.Glue", "Cluster.StateStore", "Telemetry.IVisits/CountAsync", "visits"],
            part => Assert.Contains(part, traces, StringComparison.Ordinal));
        var metrics = collector.TextOf("/v1/metrics");
        Assert.All(
            ["rpc.client.call.duration", "cluster.state.operation.duration", "cluster.partitions.owned"],
            part => Assert.Contains(part, metrics, StringComparison.Ordinal));
    }
}
