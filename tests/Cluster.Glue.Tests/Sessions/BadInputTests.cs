using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Tests.Wire;
using Cluster.Glue.Wire;
using Cluster.Testing;
namespace Cluster.Glue.Tests.Sessions;

/// <summary>What a server does with peers that break the protocol: it refuses them with a reason and lives.</summary>
[WithCanaryArrays]
public sealed class BadInputTests : IAsyncLifetime, IDisposable
{
    private GlueHost _host = null!;
    private RawLink _raw = null!;

    public async Task InitializeAsync()
    {
        _host = await GlueHost.StartAsync(options =>
        {
            options.HandshakeTimeout = TimeSpan.FromMinutes(1);
            options.MaxMessageBytes = 64 * 1024;
        });
        _raw = new RawLink(_host.Address);
    }

    public async Task DisposeAsync()
    {
        await CheckServerLives();
        Dispose();
        await _host.DisposeAsync();
    }

    public void Dispose() => _raw.Dispose();

    [Fact]
    public Task Garbage_InTheHandshake_IsRefused() => CheckRefused([0, 0, 0, 0, 3, 1, 2, 3], "3", "BytesValue");

    [Fact]
    public Task WrongVersion_IsRefused_NamingBoth() => CheckRefused(RawLink.HelloFrame(7, 9), "9", "7 to 9");

    /// <summary>A peer of the version before names versions 1 to 1 in its Hello.</summary>
    [Fact]
    [Trait("Case", "repair-B3")]
    public Task VersionBefore_IsRefused_NamingBoth() =>
        CheckRefused(RawLink.HelloFrame(1, 1), "9", "versions 1 to 1 are not spoken here; 2 to 2 are");

    [Fact]
    public Task WrongMagic_IsRefused() =>
        CheckRefused(RawLink.Frame(EnvelopeKind.Hello, Encoding.UTF8.GetBytes("HTTP/1.1 200 OK")), "3", "GLUE");

    [Fact]
    public Task CallBeforeHello_IsRefused() =>
        CheckRefused(RawLink.Frame(EnvelopeKind.Ping, []), "3", "instead of Hello or Join");

    [Fact]
    [Trait("Case", "glue-71")]
    [Trait("Case", "glue-101")]
    [Trait("Case", "experience-M4")]
    public Task LargeFrameBeforeHello_IsRefused_ByItsAnnouncedLength() =>
        CheckRefused([0, 0x00, 0x02, 0, 0, 1], "3", "131072 bytes announced");

    [Fact]
    public Task CompressedFrame_IsRefused() => CheckRefused([1, 0, 0, 0, 1, 1], "3", "compress");

    [Fact]
    public Task EndBeforeHello_IsRefused() => CheckRefused([], "3", "ended");

    [Fact]
    public Task CutShortFrame_IsRefused() => CheckRefused([0, 0, 0, 0, 9, 10, 1], "3", "ended after");

    [Fact]
    public Task FrameBeyondTheLimit_AfterHello_IsRefused() =>
        CheckRefused([.. RawLink.HelloFrame(), 0, 0x00, 0x20, 0, 0, 1], "3", "bytes announced");

    [Fact]
    public Task UnknownEnvelope_AfterHello_IsRefused() =>
        CheckRefused([.. RawLink.HelloFrame(), 0, 0, 0, 0, 7, 10, 5, 1, 0, 0, 0x1F, 0], "3", "envelope kind");

    [Fact]
    public Task BindOutOfOrder_IsRefused()
    {
        var body = new WireBuffer(64, 1024);
        new BindRequest(5, ["X"], [], []).Write(body);
        return CheckRefused(
            [.. RawLink.HelloFrame(), .. RawLink.Frame(EnvelopeKind.Bind, body.WrittenSpan.ToArray())], "3", "bind");
    }

    [Fact]
    public async Task UnknownPath_IsUnimplemented() =>
        Assert.Equal("12", (await _raw.SendAsync([], "/glue.v1.Glue/" + "Other")).Status);

    [Fact]
    public async Task OtherContentType_IsRefused() =>
        Assert.Contains(
            "text/plain", (await _raw.SendAsync([], contentType: "text/plain")).Message, StringComparison.Ordinal);

    [Fact]
    public async Task UnaryGarbage_IsRefused() =>
        Assert.Equal("3", (await _raw.SendAsync([0, 0, 0, 0, 6, 10, 4, 1, 0, 0, 3], GlueWire.CallPath)).Status);

    [Fact]
    public Task TcpGarbage_ClosesThatConnection() =>
        _raw.SendTcpAsync(Encoding.ASCII.GetBytes("GET / HTTP/1.0\r\nHost: x\r\n\r\n" + new string('x', 4096)));

    [Fact]
    public async Task SilenceInTheHandshake_IsRefused_InTime()
    {
        await using var host = await GlueHost.StartAsync(
            options => options.HandshakeTimeout = TimeSpan.FromMilliseconds(300));
        var content = new StreamingContent();
        using var invoker =
            RawGrpc.CreateInvoker(TimeSpan.FromMinutes(1));
        using var request = RawGrpc.Create(
            new Uri(new Uri(host.Address), RawGrpc.LinkPath), content);
        using var response =
            await invoker.SendAsync(request, CancellationToken.None).WaitAsync(TimeSpan.FromMinutes(1));
        await response.Content.ReadAsByteArrayAsync().WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal("4", response.TrailingHeaders.GetValues("grpc-status").Single());
        content.Complete();
    }

    private async Task CheckRefused(byte[] body, string status, string reason)
    {
        (var actual, var message) = await _raw.SendAsync(body);
        Assert.Equal(status, actual);
        Assert.Contains(reason, message, StringComparison.Ordinal);
    }

    private async Task CheckServerLives()
    {
        await using var client = new GlueClient();
        Assert.Equal(4, await client.CreateProxy<IShapes>(_host.Address).TwiceAsync(2));
    }
}
