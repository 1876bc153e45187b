using Cluster.Glue.Observation;
using OpenTelemetry;
using OpenTelemetry.Metrics;

namespace Cluster.Glue.Tests.Observation;

/// <summary>What OpenTelemetry gets of the meter.</summary>
[Collection(nameof(RunsAlone))]
[Trait("Case", "glue-103")]
public sealed class ExportedMetricTests
{
    [Fact]
    public async Task Metrics_ArriveWithTheirNames_UnitsAndBuckets()
    {
        var exported = new List<Metric>();
        using var provider = Sdk.CreateMeterProviderBuilder()
            .AddMeter("Cluster.Glue")
            .AddInMemoryExporter(exported)
            .Build();
        await using var host = await TracedHost.StartAsync("Link");
        await host.Proxy.SpanAsync();
        await Assert.ThrowsAsync<InvalidOperationException>(() => host.Proxy.FailAsync());
        provider.ForceFlush();
        CheckDuration("rpc.client.call.duration");
        CheckDuration("rpc.server.call.duration");
        CheckUnit("cluster.glue.server.queue.time", "s", MetricType.Histogram);
        foreach (var side in (string[])["client", "server"])
        {
            CheckUnit($"cluster.glue.{side}.calls.started", "{call}", MetricType.LongSum);
            CheckUnit($"cluster.glue.{side}.calls.ended", "{call}", MetricType.LongSum);
            CheckUnit($"cluster.glue.{side}.calls.active", "{call}", MetricType.LongSumNonMonotonic);
            CheckUnit($"cluster.glue.{side}.request.size", "By", MetricType.Histogram);
            CheckUnit($"cluster.glue.{side}.response.size", "By", MetricType.Histogram);
        }

        void CheckDuration(string name)
        {
            var metric = CheckUnit(name, "s", MetricType.Histogram);
            var tags = new List<string>();
            foreach (ref readonly var point in metric.GetMetricPoints())
            {
                var bounds = new List<double>();
                foreach (var bucket in point.GetHistogramBuckets())
                    bounds.Add(bucket.ExplicitBound);
                Assert.Equal([.. RpcNames.DurationBuckets, double.PositiveInfinity], bounds);
                Assert.Equal(1, point.GetHistogramCount());
                var texts = new List<string>();
                foreach (var tag in point.Tags)
                    texts.Add($"{tag.Key}={tag.Value}");
                tags.Add(string.Join(' ', texts.Order()));
            }

            Assert.Equal(
                [
                    "error.type=System.InvalidOperationException "
                        + $"rpc.method={SpanRecorder.NameOf("FailAsync")} rpc.system.name=glue",
                    $"rpc.method={SpanRecorder.NameOf("SpanAsync")} rpc.system.name=glue",
                ],
                tags.Order());
        }

        Metric CheckUnit(string name, string unit, MetricType type)
        {
            var metric = Assert.Single(exported, one => one.Name == name);
            Assert.Equal((unit, type), (metric.Unit, metric.MetricType));
            return metric;
        }
    }
}
