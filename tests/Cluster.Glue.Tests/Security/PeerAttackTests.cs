using Cluster.Glue.Tests.Fuzzing;
using Cluster.Glue.Tests.Sessions;
using Cluster.Glue.Wire;
using Cluster.Testing;
using Cluster.Testing.Glue;

namespace Cluster.Glue.Tests.Security;

/// <summary>Attacks on the proofs of a handshake by somebody who has no secret, but has heard what peers say to each
/// other.</summary>
public sealed class PeerAttackTests
{
    private static readonly TimeSpan Bound = PeerHosts.Bound;

    private readonly ConcurrentQueue<(bool IsToServer, byte[] Payload)> _heard = new();
    private readonly ConcurrentQueue<byte[]> _accepted = new();
    private readonly FaultyLink _faults = new();

    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task Handshake_HeardAndReplayed_OpensNothing()
    {
        await using var host = await PeerHosts.StartAsync(PeerHosts.Identity(PeerHosts.New));
        await using (var client = ConnectHeard())
            Assert.True(await client.CreateProxy<IPeerDuties>(host.Address).IsFromPeerAsync().WaitAsync(Bound));
        // The link has ended, so that its secret is free again.
        byte[][] frames = [.. HeardOf(EnvelopeKind.Hello, EnvelopeKind.Proof).Select(Frames.OfPayload)];
        Assert.Equal(2, frames.Length);
        using var raw = new RawLink(host.Address);
        (var status, var message) = await raw.SendAsync([.. frames[0], .. frames[1]]);
        Assert.Equal("16", status);
        Assert.Contains("fits no secret", message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task Join_HeardAndReplayed_OpensNothing()
    {
        await using var host = await PeerHosts.StartAsync(PeerHosts.Identity(PeerHosts.New));
        await using var client = ConnectHeard();
        var duties = client.CreateProxy<IPeerDuties>(host.Address);
        Assert.True(await duties.IsFromPeerAsync().WaitAsync(Bound));
        var join = (await AcceptedJoinsAsync())[0];
        using var raw = new RawLink(host.Address);
        (var status, var message) = await raw.SendAsync(Frames.OfPayload(join));
        Assert.Equal("16", status);
        Assert.Contains("has not proven that it belongs to the link", message, StringComparison.Ordinal);
        // The link secret alone, without a proof, opens nothing either, and the link goes on.
        var secret = Frames.EnvelopesIn(join)[0].Body[5..21];
        (status, _) = await raw.SendAsync(Frames.Of(Frames.Envelope(EnvelopeKind.Join, 0, Frames.Join(secret, 1, 0))));
        Assert.Equal("16", status);
        Assert.True(await duties.IsFromPeerAsync().WaitAsync(Bound));
    }

    /// <summary>A stale join is not taken for a new one when the streams of the link are cut.</summary>
    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task Join_ReplayedWhenTheLinkHasBeenCut_OpensNothing()
    {
        await using var host = await PeerHosts.StartAsync(PeerHosts.Identity(PeerHosts.New));
        await using var client = ConnectHeard();
        var duties = client.CreateProxy<IPeerDuties>(host.Address);
        for (var round = 0; round < 3; round++)
        {
            Assert.True(await duties.IsFromPeerAsync().WaitAsync(Bound));
            _faults.Cut();
        }

        Assert.True(await duties.IsFromPeerAsync().WaitAsync(Bound));
        using var raw = new RawLink(host.Address);
        foreach (var join in await AcceptedJoinsAsync())
            Assert.Equal("16", (await raw.SendAsync(Frames.OfPayload(join))).Status);
        Assert.True(await duties.IsFromPeerAsync().WaitAsync(Bound));
    }

    [Theory]
    [InlineData(0, "16")]
    [InlineData(1, "3")]
    [InlineData(31, "3")]
    [InlineData(32, "16")]
    [InlineData(33, "3")]
    [Trait("Case", "repair-A3")]
    public async Task Proof_OfAnyLength_MadeUp_OpensNothing(int length, string expected)
    {
        await using var host = await PeerHosts.StartAsync(PeerHosts.Identity(PeerHosts.New));
        using var raw = new RawLink(host.Address);
        (var status, var message) = await raw.SendAsync(
        [
            .. Frames.Of(Frames.Envelope(EnvelopeKind.Hello, 0, HelloWithNonce(32))),
            .. Frames.Of(Frames.Envelope(EnvelopeKind.Proof, 0, Frames.Block(new byte[length]))),
        ]);
        Assert.True(status == expected, $"{status}: {message}");
    }

    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task CallInsteadOfAProof_IsRefused_AndServesNothing()
    {
        await using var host = await PeerHosts.StartAsync(PeerHosts.Identity(PeerHosts.New));
        using var raw = new RawLink(host.Address);
        (var status, var message) = await raw.SendAsync(
        [
            .. Frames.Of(Frames.Envelope(EnvelopeKind.Hello, 0, HelloWithNonce(32))),
            .. Frames.Of(Frames.Envelope(EnvelopeKind.Ping)),
        ]);
        Assert.Equal("3", status);
        Assert.Contains("Ping instead of Proof", message, StringComparison.Ordinal);
    }

    /// <summary>It takes a place among those who shake hands for HandshakeTimeout, and gives it back.</summary>
    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task PeerThatStopsBeforeItsProof_IsGivenUpInTime()
    {
        var time = new ManualTimeProvider();
        await using var host = await PeerHosts.StartAsync(PeerHosts.Identity(PeerHosts.New), options =>
        {
            options.TimeProvider = time;
            options.MaxUnauthenticatedConnections = 1;
        });
        using var raw = new RawLink(host.Address);
        using var half = new HalfRequest(
            host.Address, Frames.Of(Frames.Envelope(EnvelopeKind.Hello, 0, HelloWithNonce(32))));
        Assert.Equal(EnvelopeKind.Welcome, await half.ReceiveKindAsync().WaitAsync(Bound));
        // The only place is taken.
        Assert.Equal("8", (await raw.SendAsync(RawLink.HelloFrame())).Status);
        time.Advance(TimeSpan.FromSeconds(6));
        Assert.Equal("4", (await half.EndAsync().WaitAsync(Bound)).Status);
        Assert.Equal("0", (await raw.SendAsync(RawLink.HelloFrame())).Status);
    }

    /// <summary>A server without the secret that sends the client's own proof back as its own.</summary>
    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task OwnProof_ReflectedByAServer_IsRefused()
    {
        byte[] proof = [];
        var script = new HostileScript
        {
            Welcome = Frames.Of(Frames.Envelope(EnvelopeKind.Welcome, 0, HelloWithNonce(32))),
            Proven = heard =>
            {
                proof = heard;
                return Frames.Of(Frames.Envelope(EnvelopeKind.Proven, 0, heard));
            },
        };
        await using var client = PeerHosts.Connect(
            PeerHosts.Identity(PeerHosts.New),
            options => options.WrapConnector = inner => new HostileConnector(inner, _ => script));
        var refusal = await Assert.ThrowsAsync<GlueException>(
            () => client.CreateProxy<IPeerDuties>("http://hostile").IsFromPeerAsync().WaitAsync(Bound));
        Assert.Equal(GlueErrorCode.PeerNotAuthenticated, refusal.Code);
        Assert.NotEmpty(proof);
    }

    private GlueClient ConnectHeard() => PeerHosts.Connect(PeerHosts.Identity(PeerHosts.New), options =>
    {
        _faults.Attach(options);
        var faulty = options.WrapConnector!;
        options.WrapConnector = inner => new RecordingConnector(
            faulty(inner), () =>
            {
                byte[]? join = null;
                return (isToServer, payload) =>
                {
                    _heard.Enqueue((isToServer, payload));
                    if (isToServer && join is null && IsOnly(payload, EnvelopeKind.Join))
                        join = payload;
                    else if (!isToServer && join is not null && IsOnly(payload, EnvelopeKind.Joined))
                        _accepted.Enqueue(join);
                };
            });
    });

    /// <summary>The joins that were heard, once the server has accepted the last one of each substream. A join that is
    /// still on its way is no replay: the first stream that delivers it takes its place.</summary>
    private async Task<byte[][]> AcceptedJoinsAsync()
    {
        byte[][] heard = [];
        await Eventually.TrueAsync(
            () =>
            {
                heard = [.. HeardOf(EnvelopeKind.Join)];
                return heard.Length > 0 && heard.GroupBy(SubstreamOf).All(substream => _accepted.Contains(substream.Last()));
            },
            Bound,
            "the server has accepted the last join of each substream");
        return heard;
    }

    private static byte SubstreamOf(byte[] join) => Frames.EnvelopesIn(join)[0].Body[21];

    private static bool IsOnly(byte[] payload, EnvelopeKind kind) =>
        Frames.EnvelopesIn(payload) is [var only] && only.Kind == kind;

    private IEnumerable<byte[]> HeardOf(params EnvelopeKind[] kinds) =>
        _heard.Where(one => one.IsToServer).Select(one => one.Payload)
            .Where(payload => kinds.Any(kind => IsOnly(payload, kind)));

    private static byte[] HelloWithNonce(int length) => [.. Frames.Hello(), .. Frames.Block(new byte[length])];
}
