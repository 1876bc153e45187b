using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Channels;

/// <summary>Unary requests say in gRPC's own header how long they may take, and servers obey it.</summary>
public sealed class GrpcTimeoutTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Theory]
    [Trait("Case", "repair-B3")]
    [InlineData("3H", 3 * 60 * 60 * 1000.0)]
    [InlineData("2M", 120_000.0)]
    [InlineData("99999999S", 99_999_999_000.0)]
    [InlineData("250m", 250.0)]
    [InlineData("250u", 0.25)]
    [InlineData("1000n", 0.001)]
    [InlineData("0m", 0.0)]
    public void Header_IsRead(string text, double milliseconds) =>
        Assert.Equal(TimeSpan.FromTicks((long)(milliseconds * 10_000)), GrpcTimeout.FromHeader(text));

    [Theory]
    [Trait("Case", "repair-B3")]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("m")]
    [InlineData("-1m")]
    [InlineData("1x")]
    [InlineData("123456789m")]
    [InlineData("1 m")]
    public void Nonsense_IsIgnored(string? text) => Assert.Null(GrpcTimeout.FromHeader(text));

    [Fact]
    [Trait("Case", "repair-B3")]
    public async Task Client_SendsWhatItsCallHasLeft()
    {
        string? header = null;
        await using var stub = await StubServer.StartAsync((_, context) =>
        {
            header = context.Request.Headers[GrpcTimeout.Header];
            return StubServer.AnswerStatusAsync(context, 5, "nothing");
        });
        await using var client = new GlueClient(new GlueClientOptions { Transport = GlueTransport.Unary });
        using (GlueCall.WithDeadline(Bound))
        {
            await Assert.ThrowsAsync<GlueException>(
                () => client.CreateProxy<IRuns>(stub.Address).AddAsync().WaitAsync(Bound));
        }

        var timeout = Assert.NotNull(GrpcTimeout.FromHeader(header));
        Assert.InRange(timeout.TotalMilliseconds, 1, Bound.TotalMilliseconds);
    }

    [Fact]
    [Trait("Case", "repair-B3")]
    public async Task Server_EndsTheMethod_WhenTheHeadersTimeIsOver()
    {
        await using var host = await StartAsync();
        await using var proxy = await StubServer.StartAsync((stub, context) => stub.ForwardAsync(
            context, host.Address, request =>
            {
                request.Headers.Remove(GrpcTimeout.Header);
                request.Headers.Add(GrpcTimeout.Header, "100m");
            }));
        await using var client = new GlueClient(
            new GlueClientOptions { Transport = GlueTransport.Unary, DefaultDeadline = Bound });
        var failure = await Assert.ThrowsAsync<GlueException>(
            () => client.CreateProxy<IRuns>(proxy.Address).WaitAsync(CancellationToken.None).WaitAsync(Bound));
        Assert.Equal(
            (GlueErrorKind.Deadline, GlueErrorCode.DeadlineOnServer), (failure.Kind, failure.Code));
    }

    [Fact]
    [Trait("Case", "repair-B3")]
    public async Task Server_EndsARequest_ThatIsNotCompleteInItsTime()
    {
        await using var host = await StartAsync();
        using var invoker = new HttpMessageInvoker(new SocketsHttpHandler { UseProxy = false });
        var end = new TaskCompletionSource();
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(host.Address + GlueWire.CallPath))
        {
            Content = new HalfContent(end.Task),
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        request.Headers.Add(GrpcTimeout.Header, "100m");
        using var response =
            await invoker.SendAsync(request, CancellationToken.None).WaitAsync(Bound);
        Assert.Equal("4", response.Headers.GetValues("grpc-status").Single());
        Assert.Contains(
            "grpc-timeout", response.Headers.GetValues("grpc-message").Single(), StringComparison.Ordinal);
        Assert.True(response.Headers.Contains(GlueWire.NotStartedHeader));
        end.SetResult();
    }

    private static Task<GlueHost> StartAsync() =>
        GlueHost.StartAsync(addServices: glue => glue.AddService<IRuns, Runs>());

    // Announces a message, sends a part of it, and no more.
    private sealed class HalfContent : HttpContent
    {
        private readonly Task _end;

        public HalfContent(Task end)
        {
            _end = end;
            Headers.TryAddWithoutValidation("content-type", GlueWire.ContentType);
        }

        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        {
            await stream.WriteAsync(new byte[] { 0, 0, 0, 0, 9, 10, 1 });
            await stream.FlushAsync();
            await _end;
        }

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
