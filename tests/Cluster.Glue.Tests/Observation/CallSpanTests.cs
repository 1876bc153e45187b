using Cluster.Glue.Filters;
using Cluster.Glue.Resilience;
using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Observation;

/// <summary>A logical call has one span at its caller and one at its server, whatever carries it. Acceptance case
/// 102.</summary>
[Collection(nameof(RunsAlone))]
[Trait("Case", "glue-102")]
public sealed class CallSpanTests : IDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly SpanRecorder _spans = new();

    public static TheoryData<string> Bindings => new(SemanticBinding.Names);

    public void Dispose() => _spans.Dispose();

    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task Call_HasAClientSpanAndAServerSpan_BelowTheActivityOfItsCaller(string binding)
    {
        await using var host = await TracedHost.StartAsync(binding);
        var proxy = host.Proxy;
        CheckPair(nameof(ITraced.SpanAsync), await proxy.SpanAsync());
        CheckPair(nameof(ITraced.YieldAsync), await proxy.YieldAsync());
        CheckPair(nameof(ITraced.Span), proxy.Span());
        Assert.Same(_spans.Root, Activity.Current);
        Assert.Equal(6, _spans.All.Count);
    }

    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task Spans_HaveTheTagsOfTheConventions(string binding)
    {
        await using var host = await TracedHost.StartAsync(binding);
        await host.Proxy.SpanAsync();
        var (client, server) = PairOf(nameof(ITraced.SpanAsync));
        foreach (var span in (Activity[])[client, server])
        {
            Assert.Equal("Cluster.Glue", span.Source.Name);
            Assert.Equal("glue", span.GetTagItem("rpc.system.name"));
            Assert.Equal(SpanRecorder.NameOf(nameof(ITraced.SpanAsync)), span.GetTagItem("rpc.method"));
            Assert.Equal(ActivityStatusCode.Unset, span.Status);
            Assert.Null(span.GetTagItem("error.type"));
        }

        var address = new Uri(host.Address);
        Assert.Equal(address.Scheme == "unix" ? address.AbsolutePath : address.Host, client.GetTagItem("server.address"));
        Assert.Equal(address.Port < 0 ? null : address.Port, client.GetTagItem("server.port"));
    }

    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task Spans_OfAChainOfThreeServices_AreBelowEachOther(string binding)
    {
        await using var first = await TracedHost.StartAsync(binding);
        await using var second = await TracedHost.StartAsync(binding);
        await using var third = await TracedHost.StartAsync(binding);
        first.Target.Next = second.Proxy;
        second.Target.Next = third.Proxy;
        var ids = await first.Proxy.PassAsync();
        var all = _spans.Of(nameof(ITraced.PassAsync));
        Assert.Equal(6, all.Count);
        var parent = _spans.Root;
        foreach (var id in ids)
        {
            var client = Assert.Single(all, span => span.ParentId == parent.Id);
            Assert.Equal(ActivityKind.Client, client.Kind);
            parent = Assert.Single(all, span => span.ParentId == client.Id);
            Assert.Equal((ActivityKind.Server, id), (parent.Kind, parent.Id));
        }

        Assert.All(all, span => Assert.Equal(_spans.Root.TraceId, span.TraceId));
    }

    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task FailedCall_MarksBothSpans_WithTheTypeOfTheError(string binding)
    {
        await using var host = await TracedHost.StartAsync(binding);
        await Assert.ThrowsAsync<InvalidOperationException>(() => host.Proxy.FailAsync());
        var (client, server) = PairOf(nameof(ITraced.FailAsync));
        foreach (var span in (Activity[])[client, server])
        {
            Assert.Equal(ActivityStatusCode.Error, span.Status);
            Assert.Equal("System.InvalidOperationException", span.GetTagItem("error.type"));
            Assert.Null(span.GetTagItem("rpc.response.status_code"));
        }
    }

    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task LateCall_TellsTheCodeOfGlue(string binding)
    {
        await using var host = await TracedHost.StartAsync(binding);
        var proxy = host.Proxy;
        await proxy.SpanAsync();
        using (GlueCall.WithDeadline(TimeSpan.FromMilliseconds(500)))
            await Assert.ThrowsAsync<GlueException>(() => proxy.WaitAsync(CancellationToken.None));
        await Eventually.TrueAsync(() => _spans.Of(nameof(ITraced.WaitAsync)).Count == 2, Bound);
        var client = _spans.One(nameof(ITraced.WaitAsync), ActivityKind.Client);
        Assert.Equal(ActivityStatusCode.Error, client.Status);
        Assert.StartsWith("Deadline", (string?)client.GetTagItem("rpc.response.status_code"), StringComparison.Ordinal);
        Assert.Equal(client.GetTagItem("rpc.response.status_code"), client.GetTagItem("error.type"));
    }

    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task OneWayCall_RunsBelowTheSpanOfItsCaller(string binding)
    {
        await using var host = await TracedHost.StartAsync(binding);
        await host.Proxy.NoteAsync();
        var id = await host.Target.Noted.Task.WaitAsync(Bound);
        await Eventually.TrueAsync(() => _spans.Of(nameof(ITraced.NoteAsync)).Count == 2, Bound);
        CheckPair(nameof(ITraced.NoteAsync), id);
    }

    [Theory]
    [InlineData("Link")]
    [InlineData("InProcessSerialized")]
    public async Task Stream_IsMadeInASpanOfItsOwn_BelowTheCall(string binding)
    {
        await using var host = await TracedHost.StartAsync(binding);
        var parents = new List<string>();
        await foreach (var parent in host.Proxy.ItemsAsync(3))
            parents.Add(parent);
        var (client, server) = PairOf(nameof(ITraced.ItemsAsync));
        Assert.Equal((_spans.Root.Id, client.Id), (client.ParentId, server.ParentId));
        Assert.Equal([server.Id!, server.Id!, server.Id!], parents);
        await Eventually.TrueAsync(() => _spans.All.Any(span => span.DisplayName == "stream"), Bound);
    }

    [Theory]
    [InlineData("Link")]
    [InlineData("InProcess")]
    public async Task Callback_IsBelowTheCallThatMakesIt(string binding)
    {
        await using var host = await TracedHost.StartAsync(binding);
        var id = await host.Proxy.CallBackAsync(new TracedListener());
        var (_, outer) = PairOf(nameof(ITraced.CallBackAsync));
        var inner = _spans.All.Where(span => span.DisplayName == $"{typeof(ITracedListener)}/OnAsync").ToArray();
        if (inner.Length == 0)
        {
            // Objects of this process are called directly, without Glue.
            Assert.Equal(("InProcess", outer.Id), (binding, id));
            return;
        }

        var client = Assert.Single(inner, span => span.Kind == ActivityKind.Client);
        var server = Assert.Single(inner, span => span.Kind == ActivityKind.Server);
        Assert.Equal((outer.Id, client.Id, id), (client.ParentId, server.ParentId, server.Id));
    }

    [Fact]
    public async Task CallThatGoesElsewhere_HasOneSpan_WithAnEventForTheSecondAttempt()
    {
        await using var host = await TracedHost.StartAsync("Link");
        var proxy = host.Client.CreateProxy<ITraced>(new DeadFirst(host.Address));
        CheckPair(nameof(ITraced.SpanAsync), await proxy.SpanAsync());
        var client = _spans.One(nameof(ITraced.SpanAsync), ActivityKind.Client);
        Assert.Equal(2, client.GetTagItem("cluster.glue.attempts"));
        Assert.Equal("attempt", Assert.Single(client.Events).Name);
        Assert.Equal(new Uri(host.Address).Port, client.GetTagItem("server.port"));
    }

    [Fact]
    public async Task Retries_AndFilters_AddNoSpanOfTheCaller()
    {
        await using var host = await TracedHost.StartAsync("Link");
        var filter = new SpanFilter();
        var options = new GlueProxyOptions
        {
            Resilience = new GlueResilienceOptions
            {
                IsIdempotent = _ => true,
                Retry = new GlueRetryOptions { HandlesException = _ => true },
            },
        };
        options.Filters.Add(filter);
        var proxy = host.Client.CreateProxy<ITraced>(host.Address, options);
        await Assert.ThrowsAsync<InvalidOperationException>(() => proxy.FailAsync());
        var client = _spans.One(nameof(ITraced.FailAsync), ActivityKind.Client);
        Assert.Equal(client.Id, filter.Seen);
        Assert.Equal((_spans.Root.Id, ActivityStatusCode.Error), (client.ParentId, client.Status));
        var runs = _spans.Of(nameof(ITraced.FailAsync)).Where(span => span.Kind == ActivityKind.Server).ToArray();
        Assert.InRange(runs.Length, 2, 10);
        Assert.Equal(runs.Length, client.GetTagItem("cluster.glue.attempts"));
        Assert.Equal(runs.Length - 1, client.Events.Count());
        Assert.All(runs, run => Assert.Equal(client.Id, run.ParentId));
    }

    private (Activity Client, Activity Server) PairOf(string method)
    {
        Assert.Equal(2, _spans.Of(method).Count);
        return (_spans.One(method, ActivityKind.Client), _spans.One(method, ActivityKind.Server));
    }

    // The id is that of the activity in which the service ran.
    private void CheckPair(string method, string? id)
    {
        var (client, server) = PairOf(method);
        Assert.Equal((_spans.Root.Id, client.Id, id), (client.ParentId, server.ParentId, server.Id));
        Assert.Equal(_spans.Root.TraceId, server.TraceId);
    }

    /// <summary>Sees the activity of the last call.</summary>
    private sealed class SpanFilter : IGlueFilter
    {
        public string? Seen { get; private set; }

        public ValueTask InvokeAsync(GlueCallContext context, Func<GlueCallContext, ValueTask> proceed)
        {
            Seen = Activity.Current?.Id;
            return proceed(context);
        }
    }

    /// <summary>Names a server that nobody can reach, then the right one.</summary>
    private sealed class DeadFirst(string address) : IGlueEndpointSelector
    {
        private const string Dead = "http://127.0.0.1:1";

        public string? SelectEndpoint(Type contract, IReadOnlyCollection<string> excluded) =>
            !excluded.Contains(Dead) ? Dead : excluded.Contains(address) ? null : address;
    }
}
