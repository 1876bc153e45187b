using Cluster.Glue.Endpoints;
using Cluster.Glue.Settings;
using Cluster.Glue.Tests.Fuzzing;
using Cluster.Glue.Wire;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Security;

/// <summary>Peers that begin a handshake and do not end it keep nobody else out.</summary>
[WithCanaryArrays]
public sealed class HandshakeCrowdTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private static readonly byte[] HalfHello = Frames.Of(Frames.Envelope(EnvelopeKind.Hello, 0, Frames.Hello()))[..20];

    [Fact]
    [Trait("Case", "repair-A6")]
    public async Task ManyStreams_OfOneConnection_LockNobodyOut()
    {
        await using var host = await PeerHosts.StartAsync(null, options => options.HandshakeTimeout = Bound);
        using var shared = new HttpMessageInvoker(new SocketsHttpHandler());
        HalfRequest[] halves = [.. Enumerable.Range(0, 66).Select(_ => new HalfRequest(host.Address, HalfHello, shared: shared))];
        await Task.WhenAll(halves.Select(half => half.Written)).WaitAsync(Bound);
        await CheckServesAsync(host);
        // All but eight were told so.
        await Eventually.TrueAsync(() => halves.Count(half => half.Refusal is not null) == 58, Bound);
        Assert.Contains(
            "MaxHandshakesPerConnection",
            halves.First(half => half.Refusal is not null).Refusal,
            StringComparison.Ordinal);
        foreach (var half in halves)
            half.Dispose();
    }

    [Fact]
    [Trait("Case", "repair-A6")]
    [Trait("Case", "repair-B4")]
    [Trait("Case", "experience-M4")]
    public async Task ThreeHundredConnections_WithHalfAHello_LockNobodyOut()
    {
        await using var host = await PeerHosts.StartAsync(null);
        HalfRequest[] halves = [.. Enumerable.Range(0, 300).Select(_ => new HalfRequest(host.Address, HalfHello))];
        await Task.WhenAll(halves.Select(half => half.Written)).WaitAsync(Bound);
        for (var honest = 0; honest < 5; honest++)
            await CheckServesAsync(host);
        foreach (var half in halves)
            half.Dispose();
    }

    [Fact]
    [Trait("Case", "repair-A6")]
    public void Gate_BoundsConnectionsAndAddresses_AndTakesTheOldestPlaceWhenCrowded()
    {
        var time = new ManualTimeProvider();
        var settings = new ServerSettings(new GlueServerOptions
        {
            TimeProvider = time,
            MaxUnauthenticatedConnections = 8,
            MaxHandshakesPerAddress = 4,
            MaxHandshakesPerConnection = 2,
        });
        var gate = new HandshakeGate(settings);
        var near = IPAddress.Parse("10.0.0.1");
        var one = new ClientConnection(settings);
        var first = gate.TryEnter(near, one, out _)!;
        Assert.NotNull(gate.TryEnter(near, one, out _));
        CheckRefused(gate, near, one, "MaxHandshakesPerConnection");
        Assert.NotNull(gate.TryEnter(near, new ClientConnection(settings), out _));
        Assert.NotNull(gate.TryEnter(near, new ClientConnection(settings), out _));
        CheckRefused(gate, near, new ClientConnection(settings), "MaxHandshakesPerAddress");
        // The network of an IPv6 address is one address.
        for (var i = 0; i < 2; i++)
            Assert.NotNull(gate.TryEnter(IPAddress.Parse($"2001:db8::{i}"), new ClientConnection(settings), out _));
        Assert.NotNull(gate.TryEnter(null, new ClientConnection(settings), out _));
        Assert.NotNull(gate.TryEnter(null, new ClientConnection(settings), out _));
        CheckRefused(gate, IPAddress.Parse("10.0.0.2"), new ClientConnection(settings), "MaxUnauthenticatedConnections");
        Assert.False(first.Taken.IsCompleted);
        // After a while the one that has waited longest makes room, for its own address or for others.
        time.Advance(gate.ShortWait);
        var far = gate.TryEnter(IPAddress.Parse("10.0.0.2"), new ClientConnection(settings), out _)!;
        Assert.NotNull(far);
        Assert.True(first.Taken.IsCompleted);
        Assert.Equal(1, one.Handshakes);
        // To leave a place that was taken changes nothing.
        gate.Leave(first);
        Assert.Equal(1, one.Handshakes);
        gate.Leave(far);
        Assert.NotNull(gate.TryEnter(near, one, out _));
    }

    [Theory]
    [Trait("Case", "repair-A6")]
    [InlineData("2001:db8::1", "2001:db8::2", true)]
    [InlineData("2001:db8:0:1::1", "2001:db8:0:2::1", false)]
    [InlineData("10.0.0.1", "::ffff:10.0.0.1", true)]
    [InlineData("::ffff:10.0.0.1", "::ffff:10.0.0.2", false)]
    public void Gate_CountsANetworkOfIpv6AsOneAddress_AndAMappedAddressAsTheOneOfIpv4(
        string first, string second, bool isSame)
    {
        var settings = new ServerSettings(
            new GlueServerOptions { TimeProvider = new ManualTimeProvider(), MaxHandshakesPerAddress = 1 });
        var gate = new HandshakeGate(settings);
        Assert.NotNull(gate.TryEnter(IPAddress.Parse(first), new ClientConnection(settings), out _));
        if (isSame)
            CheckRefused(gate, IPAddress.Parse(second), new ClientConnection(settings), "MaxHandshakesPerAddress");
        else
            Assert.NotNull(gate.TryEnter(IPAddress.Parse(second), new ClientConnection(settings), out _));
    }

    private static void CheckRefused(HandshakeGate gate, IPAddress address, ClientConnection connection, string option)
    {
        Assert.Null(gate.TryEnter(address, connection, out var refusal));
        Assert.Contains(option, refusal!.Message, StringComparison.Ordinal);
        Assert.Contains("come again", refusal.Message, StringComparison.Ordinal);
    }

    private static async Task CheckServesAsync(GlueHost host)
    {
        await using var client = PeerHosts.Connect(null);
        Assert.False(await client.CreateProxy<IPublicDuties>(host.Address).IsFromPeerAsync().WaitAsync(Bound));
    }
}
