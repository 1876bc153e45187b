using Cluster.Glue.Resilience;
using Cluster.Testing;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Channels;

/// <summary>What a caller of a unary call is told when no answer came: the status by gRPC's table, and apart from it
/// whether the method may have run. Only what certainly did not run is repeated, and what is idempotent.</summary>
public sealed class UnaryDeliveryTests : IAsyncLifetime
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly Runs _runs = new();
    private readonly GlueClient _client = new(new GlueClientOptions
    {
        Transport = GlueTransport.Unary, DefaultDeadline = Bound, MaxMessageBytes = 1024 * 1024,
    });

    private GlueHost _host = null!;

    public async Task InitializeAsync() =>
        _host = await GlueHost.StartAsync(
            options => options.MaxMessageBytes = 64 * 1024,
            glue =>
            {
                glue.Services.AddSingleton(_runs);
                glue.AddService<IRuns, Runs>(GlueInstanceMode.Singleton);
                glue.AddService<IEcho, Echo>();
            });

    public async Task DisposeAsync()
    {
        await _client.DisposeAsync();
        await _host.DisposeAsync();
    }

    [Fact]
    [Trait("Case", "repair-B2")]
    public async Task ProxyThatGivesUp_WhileTheMethodRuns_LeavesItUnknown_AndTheCallRunsOnce()
    {
        await using var proxy = await StartProxyAsync(giveUpCount: int.MaxValue);
        var runs = Resilient(proxy);
        for (var i = 1; i <= 3; i++)
        {
            var failure = await Assert.ThrowsAsync<GlueException>(() => runs.AddAsync().WaitAsync(Bound));
            Assert.Equal(
                (GlueErrorKind.Unreachable, GlueDelivery.Unknown, GlueErrorCode.ServerStatus, 14),
                (failure.Kind, failure.Delivery, failure.Code, failure.GrpcStatus));
            Assert.Contains("HTTP 504", failure.Message, StringComparison.Ordinal);
            Assert.Equal(i, _runs.AddCount);
        }
    }

    [Fact]
    [Trait("Case", "repair-B2")]
    public async Task ProxyThatGivesUp_IdempotentMethod_IsRepeated()
    {
        await using var proxy = await StartProxyAsync(giveUpCount: 1);
        Assert.Equal(2, await Resilient(proxy).ReadAsync().WaitAsync(Bound));
        Assert.Equal(2, _runs.ReadCount);
    }

    [Theory]
    [Trait("Case", "repair-B2")]
    [InlineData(400, 13, GlueErrorKind.Broken)]
    [InlineData(401, 16, GlueErrorKind.Refused)]
    [InlineData(403, 7, GlueErrorKind.Refused)]
    [InlineData(404, 12, GlueErrorKind.Refused)]
    [InlineData(418, 2, GlueErrorKind.Broken)]
    [InlineData(429, 14, GlueErrorKind.Unreachable)]
    [InlineData(500, 2, GlueErrorKind.Broken)]
    [InlineData(502, 14, GlueErrorKind.Unreachable)]
    [InlineData(503, 14, GlueErrorKind.Unreachable)]
    [InlineData(504, 14, GlueErrorKind.Unreachable)]
    public async Task HttpStatus_StandsForAGrpcStatus_AndNobodyKnowsWhetherTheMethodRan(
        int http, int status, GlueErrorKind kind)
    {
        await using var stub = await StubServer.StartAsync(async (_, context) =>
        {
            await StubServer.BodyOf(context);
            context.Response.StatusCode = http;
        });
        var failure = await FailAsync(stub.Address);
        Assert.Equal((kind, GlueDelivery.Unknown, status), (failure.Kind, failure.Delivery, failure.GrpcStatus));
        Assert.Contains($"HTTP {http}", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [Trait("Case", "repair-B2")]
    [InlineData(5, "NOT_FOUND (5)", GlueErrorKind.Refused)]
    [InlineData(8, "RESOURCE_EXHAUSTED (8)", GlueErrorKind.Overloaded)]
    [InlineData(14, "UNAVAILABLE (14)", GlueErrorKind.Unreachable)]
    [InlineData(77, "status 77 (77)", GlueErrorKind.Broken)]
    public async Task StatusOfAStockServer_KeepsItsNumberAndText(int status, string name, GlueErrorKind kind)
    {
        await using var stub = await StubServer.StartAsync(async (_, context) =>
        {
            await StubServer.BodyOf(context);
            await StubServer.AnswerStatusAsync(context, status, "the shelf%0Ais empty");
        });
        var failure = await FailAsync(stub.Address);
        Assert.Equal(
            (kind, GlueDelivery.Unknown, GlueErrorCode.ServerStatus, status),
            (failure.Kind, failure.Delivery, failure.Code, failure.GrpcStatus));
        Assert.EndsWith($@"gRPC status {name}: the shelf\nis empty", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [Trait("Case", "repair-B2")]
    [InlineData(Http2Refusal.RefusedStream, GlueDelivery.NotDelivered, GlueErrorCode.ServerOverloaded)]
    [InlineData(Http2Refusal.GoAwayBelow, GlueDelivery.NotDelivered, GlueErrorCode.Draining)]
    [InlineData(Http2Refusal.GoAwayAbove, GlueDelivery.Unknown, GlueErrorCode.LinkLost)]
    [InlineData(Http2Refusal.Drop, GlueDelivery.Unknown, GlueErrorCode.LinkLost)]
    public async Task Http2Refusal_IsNotDelivered_OnlyWhereTheServerHasNotBegun(
        Http2Refusal refusal, GlueDelivery delivery, GlueErrorCode code)
    {
        await using var server = new RawHttp2Server(refusal);
        var failure = await FailAsync(server.Address);
        Assert.Equal((delivery, code), (failure.Delivery, failure.Code));
        // What may have run is not repeated by HttpClient either.
        if (delivery == GlueDelivery.Unknown)
            Assert.Equal(1, server.RequestCount);
    }

    [Fact]
    [Trait("Case", "repair-B2")]
    public async Task RefusalOfAGlueServer_BeforeTheMethod_IsNotDelivered()
    {
        var failure = await Assert.ThrowsAsync<GlueException>(
            () => _client.CreateProxy<IEcho>(_host.Address).EchoAsync(new byte[512 * 1024]).WaitAsync(Bound));
        Assert.Equal(GlueDelivery.NotDelivered, failure.Delivery);
        Assert.Contains("are allowed here", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "repair-B2")]
    public async Task NobodyThere_IsNotDelivered()
    {
        using var port = new RefusingPort();
        var failure = await FailAsync(port.Address);
        Assert.Equal(
            (GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.ConnectFailed),
            (failure.Kind, failure.Delivery, failure.Code));
    }

    private async Task<GlueException> FailAsync(string address) =>
        await Assert.ThrowsAsync<GlueException>(
            () => _client.CreateProxy<IRuns>(address).AddAsync().WaitAsync(Bound));

    private IRuns Resilient(StubServer proxy) =>
        _client.CreateProxy<IRuns>(proxy.Address, new GlueProxyOptions { Resilience = new GlueResilienceOptions() });

    // Passes each request on; of the first ones it gives up the answer as soon as the method has run.
    private Task<StubServer> StartProxyAsync(int giveUpCount)
    {
        var count = 0;
        return StubServer.StartAsync(async (stub, context) =>
        {
            if (Interlocked.Increment(ref count) > giveUpCount)
            {
                await stub.ForwardAsync(context, _host.Address);
                return;
            }

            var body = await StubServer.BodyOf(context);
            var answer = stub.SendAsync(context, _host.Address, null, body);
            await _runs.Began.WaitAsync(Bound);
            context.Response.StatusCode = StatusCodes.Status504GatewayTimeout;
            (await answer).Dispose();
        });
    }

    public interface IEcho
    {
        Task<byte[]> EchoAsync(byte[] value);
    }

    internal sealed class Echo : IEcho
    {
        public Task<byte[]> EchoAsync(byte[] value) => Task.FromResult(value);
    }
}
