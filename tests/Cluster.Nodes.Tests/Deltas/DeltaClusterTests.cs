using System.Diagnostics.Metrics;
using Cluster.Nodes.Tests.Clusters;
using Cluster.Nodes.Watching;
using Microsoft.Extensions.DependencyInjection;
using Xunit.Abstractions;
using static Cluster.Nodes.Tests.Clusters.ClusterFixture;

namespace Cluster.Nodes.Tests.Deltas;

public sealed class DeltaClusterTests(ITestOutputHelper output)
{
    private readonly ConcurrentDictionary<string, long> _counts = new();

    [Fact]
    public async Task Nodes_OfASmallCluster_ReadTheStoreAlone()
    {
        await using var fixture = new ClusterFixture(StoreKind.File, output);
        var nodes = (await fixture.StartTogetherAsync("n1", "n2")).ToList();
        using var listener = Listen(nodes);
        nodes.Add(await fixture.StartAsync("n3"));
        await WaitUntilOwnedAsync(nodes, 3);
        Assert.Equal(0, _counts["cluster.table.deltas"]);
        Assert.NotEqual(0, _counts["cluster.table.reads"]);
    }

    [Fact]
    public async Task Nodes_WhoseStoreShowsDigests_TellEachOtherTheChanges()
    {
        await using var fixture = new ClusterFixture(StoreKind.File, output) { Partitions = 8_192 };
        var nodes = (await fixture.StartTogetherAsync("n1", "n2", "n3")).ToList();
        using var listener = Listen(nodes);
        var version = nodes[0].Table.Version;
        nodes.Add(await fixture.StartAsync("n4"));
        await WaitUntilOwnedAsync(nodes, 4);
        var changes = nodes[0].Table.Version - version;
        var (told, read) = (_counts["cluster.table.deltas"], _counts["cluster.table.reads"]);
        output.WriteLine($"{changes} changes: nodes took {told} of them from each other and {read} from the store");

        // For each change, one node reads the store, unless that node has made the change itself. A change that comes
        // while a node looks at the one before can cost a read more.
        Assert.True(changes >= 3, $"{changes} changes");
        Assert.InRange(told, changes / 2, 3 * changes);
    }

    private MeterListener Listen(IEnumerable<TestNode> nodes)
    {
        var factories = nodes
            .Select(node => node.Host.Services.GetRequiredService<IMeterFactory>())
            .ToHashSet<object?>();
        _counts["cluster.table.deltas"] = _counts["cluster.table.reads"] = 0;
        var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listening) =>
            {
                if (instrument.Meter.Name == NodeMetrics.MeterName && factories.Contains(instrument.Meter.Scope))
                    listening.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<long>(
            (instrument, value, _, _) => _counts.AddOrUpdate(instrument.Name, value, (_, sum) => sum + value));
        listener.Start();
        return listener;
    }
}
