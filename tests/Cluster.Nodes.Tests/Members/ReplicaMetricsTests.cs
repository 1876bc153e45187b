using System.Diagnostics.Metrics;
using Cluster.Nodes.Tests.Clusters;
using Cluster.Nodes.Watching;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Xunit.Abstractions;

namespace Cluster.Nodes.Tests.Members;

/// <summary>The instruments of a node, read as an exporter reads them.</summary>
public sealed class ReplicaMetricsTests(ITestOutputHelper output)
{
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(60);

    [Fact]
    [Trait("Case", "replica-metrics")]
    public async Task Instruments_OfNodesWithCopies_TellWhatTheirReplicasDo()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        List<TestNode> nodes = [await fixture.Create("n1", options => options.Backups = 1).StartAsync()];
        await Eventually.TrueAsync(() => Read()["cluster.replicas serving"] == 64, Bound);
        Assert.False(Read().ContainsKey("cluster.lease.margin"));
        nodes.Add(await fixture.Create("n2", options => options.Backups = 1).StartAsync());
        await Eventually.TrueAsync(
            () => Read() is var told
                && told["cluster.replicas serving"] == 64
                && told["cluster.replicas backup"] == 64
                && told["cluster.copies.sent"] == 0,
            Bound);
        var values = Read();
        Assert.Equal(0, values["cluster.copies.left"]);
        Assert.InRange(values["cluster.lease.margin"], double.Epsilon, 3);
        Assert.InRange(values["cluster.epochs.begun"], 64, 64 * 8);
        Assert.Equal(0, values["cluster.frames.refused"]);
        Assert.Equal(0, values["cluster.replicas copying"]);
        Assert.True(values.ContainsKey("cluster.frames.repeated"));

        Dictionary<string, double> Read() => ReadOf(nodes);
    }

    // The sums of the nodes; of margins, the smallest. Other tests have nodes in this process, too.
    private static Dictionary<string, double> ReadOf(List<TestNode> nodes)
    {
        var scopes = nodes.Select(node => node.Host.Services.GetRequiredService<IMeterFactory>()).ToArray();
        var values = new Dictionary<string, double>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                var isOwn = instrument.Meter.Name == NodeMetrics.MeterName && scopes.Contains(instrument.Meter.Scope);
                if (isOwn && instrument.IsObservable)
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<int>((instrument, value, tags, _) => Add(instrument, value, tags));
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Add(instrument, value, tags));
        listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Add(instrument, value, tags));
        listener.Start();
        listener.RecordObservableInstruments();
        return values;

        void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            var name = tags.IsEmpty ? instrument.Name : $"{instrument.Name} {tags[0].Value}";
            var isMargin = instrument.Unit == "s";
            values[name] = !values.TryGetValue(name, out var known) ? value
                : isMargin ? Math.Min(known, value) : known + value;
        }
    }
}
