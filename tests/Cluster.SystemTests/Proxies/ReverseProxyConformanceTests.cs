using System.Security.Cryptography.X509Certificates;
using Cluster.Contracts;
using Cluster.Glue;
using Cluster.Glue.Resilience;
using Cluster.Glue.Tls;
using Cluster.SystemTests.Interop;
using Cluster.Testing;
using Cluster.Testing.Stores;

namespace Cluster.SystemTests.Proxies;

/// <summary>Glue through a real proxy: calls and streams, the loss of the proxy, and the errors that callers get from
/// the proxy's own statuses.</summary>
public abstract class ReverseProxyConformanceTests
{
    private protected static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    // The time-out of the proxy in tests where it must expire.
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(400);

    private protected abstract IProxyProgram Program { get; }

    /// <summary>The HTTP status with which the proxy answers if its server does not listen.</summary>
    private protected abstract int StatusOfNobodyThere { get; }

    [ConformanceFact]
    [Trait("Case", "transport-8")]
    public Task Link_CarriesBatchesGraphsAndStreams() => CheckCallsAsync(GlueTransport.Link);

    [ConformanceFact]
    [Trait("Case", "transport-8")]
    public Task UnaryCalls_CarryGraphsAndStreams() => CheckCallsAsync(GlueTransport.Unary);

    [ConformanceFact]
    [Trait("Case", "transport-8")]
    public async Task TlsThatEndsAtTheProxy_CarriesLinksAndUnaryCalls()
    {
        using var authority = GlueCertificates.CreateForDevelopment();
        await using var server = await ProxiedServer.StartAsync();
        await using var proxy = await StartAsync(
            server, Bound, ProxyMode.EndsTls, authority.Create("localhost", "127.0.0.1"));
        foreach (var transport in Enum.GetValues<GlueTransport>())
        {
            await using var client = ClientOf(transport, options =>
            {
                options.Tls = new GlueTlsOptions();
                options.Tls.Authorities.Add(authority.Authority);
            });
            await CheckAnswersAsync(client.CreateProxy<IProxied>(proxy.Address));
        }
    }

    [ConformanceFact]
    [Trait("Case", "transport-8")]
    public async Task StockClientOfCSharp_CallsOverALinkAndUnary_AndResumesItsLink()
    {
        foreach (var mode in new[] { "unary", "link", "resume" })
        {
            using var facts = new InteropFacts();
            await using var server = await ProxiedServer.StartAsync();
            await using var proxy = await StartAsync(server, Bound);
            await using var client = new StockGlueClient(
                proxy.Address, StockFacts.Load(facts.Path), compresses: false);
            await client.CheckAsync(mode);
        }
    }

    [ConformanceFact]
    [Trait("Case", "transport-8")]
    public async Task Link_IsResumed_AfterTheProxyWasReloaded_AndNoCallRunsTwice()
    {
        await using var server = await ProxiedServer.StartAsync();
        await using var proxy = await StartAsync(server, Bound);
        await using var client = ClientOf(GlueTransport.Link);
        var proxied = client.CreateProxy<IProxied>(proxy.Address);
        await using var quiet = proxied.QuietAsync().GetAsyncEnumerator();
        Assert.True(await quiet.MoveNextAsync().AsTask().WaitAsync(Bound));
        var seen = new List<int>();
        for (var round = 0; round < 3; round++)
        {
            Task<int>[] before = [.. Enumerable.Range(0, 100).Select(_ => proxied.NextAsync())];
            var reload = proxy.ReloadAsync();
            Task<int>[] meanwhile = [.. Enumerable.Range(0, 100).Select(_ => proxied.NextAsync())];
            await reload;
            seen.AddRange(await Task.WhenAll([.. before, .. meanwhile]).WaitAsync(Bound));
        }

        Assert.Equal(Enumerable.Range(1, 600), seen.Order());
        // The stream stayed open through all reloads, so it is still the same link.
        server.Service.Quiet.SetResult();
        Assert.True(await quiet.MoveNextAsync().AsTask().WaitAsync(Bound));
        Assert.Equal(2, quiet.Current);
    }

    [ConformanceFact]
    [Trait("Case", "transport-8")]
    public async Task KilledProxy_FailsWhatIsUnderWay_Typed_AndTheNextCallReachesTheServerAgain()
    {
        await using var server = await ProxiedServer.StartAsync();
        await using var proxy = await StartAsync(server, Bound);
        foreach ((var index, var transport) in Enum.GetValues<GlueTransport>().Index())
        {
            await using var client = ClientOf(transport);
            var proxied = client.CreateProxy<IProxied>(proxy.Address);
            var holding = proxied.HoldAsync(CancellationToken.None);
            await Eventually.TrueAsync(() => server.Service.HoldCount == index + 1, Bound);
            await proxy.KillAsync();
            var failure = await Assert.ThrowsAsync<GlueException>(() => holding.WaitAsync(Bound));
            Assert.Equal((GlueDelivery.Unknown, GlueErrorCode.LinkLost), (failure.Delivery, failure.Code));
            await proxy.StartAgainAsync();
            Assert.Equal(index + 1, await Resilient(client, proxy).NextAsync().WaitAsync(Bound));
        }
    }

    [ConformanceFact]
    [Trait("Case", "transport-8")]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task Link_ThatNobodyUses_OutlivesTheTimeoutsOfTheProxy_ByItsHeartbeats()
    {
        await using var server = await ProxiedServer.StartAsync();
        await using var proxy = await StartAsync(server, 6 * Short);
        // Without resumption, a connection that the proxy ends would end the stream.
        await using var client = ClientOf(GlueTransport.Link, options =>
        {
            options.HeartbeatInterval = 2 * Short;
            options.ResumeWindow = TimeSpan.Zero;
        });
        await using var quiet =
            client.CreateProxy<IProxied>(proxy.Address).QuietAsync().GetAsyncEnumerator();
        Assert.True(await quiet.MoveNextAsync().AsTask().WaitAsync(Bound));
        var second = quiet.MoveNextAsync().AsTask();
        await Assert.ThrowsAsync<TimeoutException>(() => second.WaitAsync(9 * Short));
        server.Service.Quiet.SetResult();
        Assert.True(await second.WaitAsync(Bound));
    }

    [ConformanceFact]
    [Trait("Case", "transport-8")]
    public async Task Link_ThatTheProxyCutsForItsSilence_GoesOn()
    {
        await using var server = await ProxiedServer.StartAsync();
        await using var proxy = await StartAsync(server, Short);
        await using var client = ClientOf(GlueTransport.Link);
        var proxied = client.CreateProxy<IProxied>(proxy.Address);
        await using var quiet = proxied.QuietAsync().GetAsyncEnumerator();
        Assert.True(await quiet.MoveNextAsync().AsTask().WaitAsync(Bound));
        var second = quiet.MoveNextAsync().AsTask();
        await Assert.ThrowsAsync<TimeoutException>(() => second.WaitAsync(3 * Short));
        Assert.Equal(1, await proxied.NextAsync().WaitAsync(Bound));
        server.Service.Quiet.SetResult();
        Assert.True(await second.WaitAsync(Bound));
    }

    [ConformanceFact]
    [Trait("Case", "transport-8")]
    public async Task ServersBehindOneAddress_ServeLinks_WhereTheCallersAddressChooses_AndElseUnaryCalls()
    {
        await using var first = await ProxiedServer.StartAsync();
        await using var second = await ProxiedServer.StartAsync();
        foreach (var transport in Enum.GetValues<GlueTransport>())
        {
            var plan = new ProxyPlan(ProxyMode.Plain, FreePorts.Next(), [first.Port, second.Port], Bound)
            {
                IsSticky = transport == GlueTransport.Link,
            };
            await using var proxy = await ReverseProxy.StartAsync(Program, plan);
            await using var client = ClientOf(transport);
            var proxied = client.CreateProxy<IProxied>(proxy.Address);
            await CheckAnswersAsync(proxied);
            await CheckGraphAsync(proxied);
        }
    }

    [ConformanceFact]
    [Trait("Case", "transport-8")]
    public async Task ProxyWithNobodyBehindIt_IsNamed_AndNobodyKnowsWhetherAUnaryCallRan()
    {
        using var nobody = new RefusingPort();
        await using var proxy = await StartAsync([new Uri(nobody.Address).Port], Bound);
        await using var unary = ClientOf(GlueTransport.Unary);
        var failure = await FailAsync(unary, proxy, $"HTTP {StatusOfNobodyThere}");
        Assert.Equal(
            (GlueErrorKind.Unreachable, GlueDelivery.Unknown, GlueErrorCode.ServerStatus),
            (failure.Kind, failure.Delivery, failure.Code));

        await using var link = ClientOf(GlueTransport.Link);
        failure = await FailAsync(link, proxy, "a proxy may have no server behind it");
        Assert.Equal(
            (GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.ConnectFailed),
            (failure.Kind, failure.Delivery, failure.Code));
    }

    [ConformanceFact]
    [Trait("Case", "transport-8")]
    public async Task ProxyThatGivesUp_LeavesTheCallUnknown_AndOnlyIdempotentOnesAreRepeated()
    {
        await using var server = await ProxiedServer.StartAsync();
        await using var proxy = await StartAsync(server, 2 * Short);
        await using var client = ClientOf(GlueTransport.Unary);
        var proxied = Resilient(client, proxy);
        var failure = await Assert.ThrowsAsync<GlueException>(
            () => proxied.HoldAsync(CancellationToken.None).WaitAsync(Bound));
        Assert.Equal(
            (GlueErrorKind.Unreachable, GlueDelivery.Unknown, GlueErrorCode.ServerStatus),
            (failure.Kind, failure.Delivery, failure.Code));
        Assert.Contains("HTTP 504", failure.Message, StringComparison.Ordinal);
        // The proxy has ended its request, so the server cancels the method.
        await Eventually.TrueAsync(() => server.Service.EndedHoldCount == 1, Bound);
        // On a busy machine the second attempt may also time out; then there is a third one.
        Assert.InRange(await proxied.ReadAsync(CancellationToken.None).WaitAsync(Bound), 2, 3);
        Assert.Equal(1, server.Service.HoldCount);
    }

    [ConformanceFact]
    [Trait("Case", "transport-8")]
    public async Task LinkWhoseWayIsLost_GoesOnOverAnotherWay_AndTheMethodRunsOnce()
    {
        await using var server = await ProxiedServer.StartAsync();
        await using var ways = new TwoWays(server);
        await using var proxy = await StartAsync(ways.Ports, Bound);
        await using var client = ClientOf(GlueTransport.Link);
        using var cancelling = new CancellationTokenSource();
        var proxied = client.CreateProxy<IProxied>(proxy.Address);
        Assert.Equal(1, await proxied.NextAsync().WaitAsync(Bound));
        var holding = proxied.HoldAsync(cancelling.Token);
        await Eventually.TrueAsync(() => server.Service.HoldCount == 1, Bound);
        await ways.CutFirstAsync();
        Assert.Equal(2, await proxied.NextAsync().WaitAsync(Bound));
        Assert.False(holding.IsCompleted);
        await cancelling.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => holding.WaitAsync(Bound));
        await Eventually.TrueAsync(() => server.Service.EndedHoldCount == 1, Bound);
        Assert.Equal(1, server.Service.HoldCount);
    }

    [ConformanceFact]
    [Trait("Case", "transport-8")]
    public async Task CancelledCall_CancelsItsMethodBehindTheProxy()
    {
        await using var server = await ProxiedServer.StartAsync();
        await using var proxy = await StartAsync(server, Bound);
        foreach ((var index, var transport) in Enum.GetValues<GlueTransport>().Index())
        {
            await using var client = ClientOf(transport);
            using var cancelling = new CancellationTokenSource();
            var holding = client.CreateProxy<IProxied>(proxy.Address).HoldAsync(cancelling.Token);
            await Eventually.TrueAsync(() => server.Service.HoldCount == index + 1, Bound);
            await cancelling.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => holding.WaitAsync(Bound));
            await Eventually.TrueAsync(() => server.Service.EndedHoldCount == index + 1, Bound);
        }
    }

    private protected static GlueClient ClientOf(GlueTransport transport, Action<GlueClientOptions>? configure = null)
    {
        var options = new GlueClientOptions
        {
            Transport = transport,
            DefaultDeadline = Bound,
            ConnectTimeout = Bound,
            ResumeWindow = Bound,
        };
        configure?.Invoke(options);
        return new GlueClient(options);
    }

    private protected static async Task CheckAnswersAsync(IProxied proxied)
    {
        var answers = await Task.WhenAll(Enumerable.Range(0, 100).Select(proxied.DoubleAsync)).WaitAsync(Bound);
        Assert.Equal(Enumerable.Range(0, 100).Select(value => 2 * value), answers);
    }

    private protected Task<ReverseProxy> StartAsync(
        ProxiedServer server,
        TimeSpan timeout,
        ProxyMode mode = ProxyMode.Plain,
        X509Certificate2? certificate = null) =>
        StartAsync([server.Port], timeout, mode, certificate);

    private protected Task<ReverseProxy> StartAsync(
        int[] backendPorts, TimeSpan timeout, ProxyMode mode = ProxyMode.Plain, X509Certificate2? certificate = null) =>
        ReverseProxy.StartAsync(Program, new ProxyPlan(mode, FreePorts.Next(), backendPorts, timeout), certificate);

    // haproxy resets the stream after its answer. HttpClient may see the reset first and then report a lost connection.
    private static async Task<GlueException> FailAsync(GlueClient client, ReverseProxy proxy, string text)
    {
        var proxied = client.CreateProxy<IProxied>(proxy.Address);
        GlueException? failure = null;
        await Eventually.TrueAsync(
            async () =>
            {
                failure = await Assert.ThrowsAsync<GlueException>(() => proxied.NextAsync().WaitAsync(Bound));
                return failure.Message.Contains(text, StringComparison.Ordinal);
            },
            Bound);
        return failure!;
    }

    private static IProxied Resilient(GlueClient client, ReverseProxy proxy) =>
        client.CreateProxy<IProxied>(
            proxy.Address, new GlueProxyOptions { Resilience = new GlueResilienceOptions() });

    private async Task CheckCallsAsync(GlueTransport transport)
    {
        await using var server = await ProxiedServer.StartAsync();
        await using var proxy = await StartAsync(server, Bound);
        await using var client = ClientOf(transport);
        var proxied = client.CreateProxy<IProxied>(proxy.Address);
        // By default, nginx closes a connection after a number of requests that is smaller than these calls.
        for (var round = 0; round < 3; round++)
        {
            var answers = await Task.WhenAll(Enumerable.Range(0, 400).Select(proxied.DoubleAsync)).WaitAsync(Bound);
            Assert.Equal(Enumerable.Range(0, 400).Select(value => 2 * value), answers);
        }

        await CheckGraphAsync(proxied);
        var expected = 0;
        await foreach (var number in proxied.CountAsync(5_000))
            Assert.Equal(expected++, number);
        Assert.Equal(5_000, expected);
        Assert.Equal(4_999L * 5_000 / 2, await proxied.SumAsync(server.Service.CountAsync(5_000)).WaitAsync(Bound));
    }

    // The graph has some megabytes, more than proxies buffer.
    private static async Task CheckGraphAsync(IProxied proxied)
    {
        const int Count = 20_000;
        var first = await proxied.EchoAsync(Station.RingOf(Count, loadBytes: 150)).WaitAsync(Bound);
        var station = first;
        for (var i = 0; i < Count; i++)
        {
            Assert.Equal((i, 150), (station.Number, station.Load.Length));
            station = station.Next!;
        }

        Assert.Same(first, station);
    }
}
