using Cluster.Contracts;
using Cluster.Glue;
using Cluster.Testing;
using Cluster.Testing.Stores;

namespace Cluster.SystemTests.Proxies;

/// <summary>Glue through nginx.</summary>
[RequiresProxy("/usr/sbin/nginx", "nginx-light")]
public sealed class NginxTests : ReverseProxyConformanceTests
{
    private protected override IProxyProgram Program { get; } = new Nginx();

    private protected override int StatusOfNobodyThere => 502;

    // Not with haproxy: it answers as if the server had not begun, and HttpClient then repeats the request (see
    // docs/glue.md).
    [ConformanceFact]
    [Trait("Case", "transport-8")]
    public async Task UnaryCall_WhoseServerIsLost_IsUnknown_AndIsNotRepeatedAtAnotherServer()
    {
        await using var server = await ProxiedServer.StartAsync();
        await using var ways = new TwoWays(server);
        await using var proxy = await StartAsync(ways.Ports, Bound);
        await using var client = ClientOf(GlueTransport.Unary);
        var proxied = client.CreateProxy<IProxied>(proxy.Address);
        // After these calls, both ways have connections that the proxy may use again.
        for (var i = 1; i <= 4; i++)
            Assert.Equal(i, await proxied.NextAsync().WaitAsync(Bound));
        var before = ways.BytesToServer;
        var holding = proxied.HoldAsync(CancellationToken.None);
        await Eventually.TrueAsync(() => server.Service.HoldCount == 1, Bound);
        await ways.CutAsync(ways.BytesToServer[0] > before[0] ? 0 : 1);
        var failure = await Assert.ThrowsAsync<GlueException>(() => holding.WaitAsync(Bound));
        Assert.Equal((GlueDelivery.Unknown, GlueErrorCode.ServerStatus), (failure.Delivery, failure.Code));
        Assert.Contains("HTTP 502", failure.Message, StringComparison.Ordinal);
        Assert.Equal(1, server.Service.HoldCount);
    }
}
