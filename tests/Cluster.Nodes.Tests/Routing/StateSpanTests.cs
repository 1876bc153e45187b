using System.Diagnostics.Metrics;
using Cluster.Nodes.Routing;
using Cluster.Nodes.Tests.Clusters;
using Microsoft.Extensions.DependencyInjection;
using OpenTelemetry;
using OpenTelemetry.Trace;
using Xunit.Abstractions;

namespace Cluster.Nodes.Tests.Routing;

/// <summary>An operation on a state has a span at its caller and a span at its owner. Both are timed, and no tag tells a
/// key. Acceptance case 102.</summary>
[Collection(nameof(RunsAlone))]
[Trait("Case", "glue-102")]
public sealed class StateSpanTests : IDisposable
{
    private const string KeyMark = "secret-key";
    private const string TestSource = "Cluster.Nodes.Tests.StateSpans";
    private static readonly ActivitySource Source = new(TestSource);

    private readonly ITestOutputHelper _output;
    private readonly List<Activity> _spans = [];
    private readonly TracerProvider _provider;

    public StateSpanTests(ITestOutputHelper output)
    {
        _output = output;
        _provider = Sdk.CreateTracerProviderBuilder()
            .AddSource("Cluster.Glue", "Cluster.Nodes", "Cluster.StateStore", TestSource)
            .AddInMemoryExporter(_spans)
            .Build();
    }

    public void Dispose() => _provider.Dispose();

    [Fact]
    public async Task Operation_OnAnotherNode_IsOneTraceOfFourSpans()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, _output);
        var nodes = await fixture.StartTogetherAsync("n1", "n2");
        var (own, other) = (KeyOf(nodes[0], isOwn: true), KeyOf(nodes[0], isOwn: false));
        using var root = Source.StartActivity("test")!;
        await nodes[0].Tallies.PutAsync(other, new Tally { Count = 1 });
        Assert.Equal(1, (await nodes[0].Tallies.GetAsync(other))!.Count);
        CheckChain("put tallies");
        CheckChain("get tallies");
        await nodes[0].Tallies.RemoveAsync(own);
        var local = Assert.Single(SpansOf(root, "remove tallies"));
        Assert.Equal((root.Id, ActivityKind.Client), (local.ParentId, local.Kind));
        Assert.Same(root, Activity.Current);
        Assert.DoesNotContain(
            _spans.ToArray().SelectMany(span => span.TagObjects),
            tag => $"{tag.Value}".Contains(KeyMark, StringComparison.Ordinal));

        void CheckChain(string name)
        {
            var pair = SpansOf(root, name);
            Assert.Equal(2, pair.Count);
            var caller = Assert.Single(pair, span => span.ParentId == root.Id);
            var owner = Assert.Single(pair, span => span != caller);
            // The first value of a type is announced by a call of its own.
            var call = Assert.Single(
                _spans.ToArray(),
                span => span.ParentId == caller.Id
                    && span.DisplayName.EndsWith("/ExecuteAsync", StringComparison.Ordinal));
            var served = Assert.Single(_spans.ToArray(), span => span.ParentId == call.Id);
            Assert.Equal(served.Id, owner.ParentId);
            Assert.Equal(
                [ActivityKind.Client, ActivityKind.Client, ActivityKind.Server, ActivityKind.Server],
                [caller.Kind, call.Kind, served.Kind, owner.Kind]);
            Assert.Equal("tallies", caller.GetTagItem("cluster.state.name"));
            Assert.Equal(name.Split(' ')[0], owner.GetTagItem("cluster.state.verb"));
        }
    }

    [Fact]
    public async Task Operations_AreTimed_ByStateVerbAndOutcome()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, _output);
        var nodes = await fixture.StartTogetherAsync("n1", "n2");
        var counts = new ConcurrentDictionary<string, int>();
        using var listener = Listen(nodes[0], counts);
        using var served = Listen(nodes[1], counts);
        var key = KeyOf(nodes[0], isOwn: false);
        await nodes[0].Tallies.PutAsync(key, new Tally { Count = 1 });
        await nodes[0].Tallies.GetAsync(key);
        await nodes[0].Tallies.GetAsync(KeyOf(nodes[0], isOwn: true));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await nodes[0].Tallies.GetAsync(key, new CancellationToken(canceled: true)));
        Assert.Equal(
            [
                "cluster.state.operation.duration tallies get cancelled System.OperationCanceledException: 1",
                "cluster.state.operation.duration tallies get ok: 2",
                "cluster.state.operation.duration tallies put ok: 1",
                "cluster.state.request.duration tallies get ok: 1",
                "cluster.state.request.duration tallies put ok: 1",
            ],
            counts.Select(pair => $"{pair.Key}: {pair.Value}").Order());
    }

    [Fact]
    public async Task Joins_AndDrains_HaveSpans()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, _output);
        var nodes = await fixture.StartTogetherAsync("n1", "n2");
        await nodes[1].StopAsync();
        Assert.Equal(["n1", "n2"], NodesOf("join"));
        Assert.Equal(["n2"], NodesOf("drain"));

        IEnumerable<object?> NodesOf(string name) => _spans.ToArray()
            .Where(span => span.DisplayName == name && span.Status == ActivityStatusCode.Unset)
            .Select(span => span.GetTagItem("cluster.node.name")).Order();
    }

    private static MeterListener Listen(TestNode node, ConcurrentDictionary<string, int> counts)
    {
        var meters = node.Host.Services.GetRequiredService<IMeterFactory>();
        var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (instrument.Meter.Scope == meters && instrument is Histogram<double>
                    && instrument.Meter.Name == "Cluster.StateStore")
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<double>((instrument, _, tags, _) =>
        {
            var name = instrument.Name;
            foreach (var tag in tags)
                name += $" {tag.Value}";
            counts.AddOrUpdate(name, 1, static (_, count) => count + 1);
        });
        listener.Start();
        return listener;
    }

    private List<Activity> SpansOf(Activity root, string name) =>
        [.. _spans.ToArray().Where(span => span.TraceId == root.TraceId && span.DisplayName == name)];

    private static string KeyOf(TestNode node, bool isOwn) => Enumerable.Range(0, 10_000)
        .Select(number => $"{KeyMark}-{number}")
        .First(key => (((IKeyedState<string>)node.Tallies).OwnerOf(key)!.Node == node.Cluster.Self) == isOwn);
}
