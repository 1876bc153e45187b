using Cluster.Glue.Tests.Sessions;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>What looks odd and is no violation: the link goes on, which the answer to a Ping behind it shows.</summary>
[Trait("Case", "glue-70")]
public sealed class ToleratedFrameTests
{
    private const ulong PingId = 99;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task CallsWithOneId_AreBothAnswered()
    {
        var call = Frames.Envelope(EnvelopeKind.Call, 7, [], [77, 100]);
        var answers = await ExchangeAsync([.. call, .. call]);
        Assert.Equal(2, answers.Count(one => one is { Kind: EnvelopeKind.Fault, CallId: 7 }));
    }

    [Fact]
    public async Task CancellationOfACallThatIsNotThere_IsIgnored() =>
        await ExchangeAsync(Frames.Envelope(EnvelopeKind.Cancel, 12345));

    [Fact]
    public async Task ReplyForAnUnknownId_IsIgnoredByAClient()
    {
        await using var host = await GlueHost.StartAsync(addServices: FuzzCorpus.AddServices);
        var corpus = await FuzzCorpus.RecordAsync(host.Address);
        var right = corpus.Probes[0].Answers.First(one => one.Kind == EnvelopeKind.Reply);
        var script = new HostileScript
        {
            Welcome = Frames.Of(Frames.Envelope(EnvelopeKind.Welcome, 0, Frames.Hello())),
            Answer = callId => (
                Frames.Of(
                [
                    .. Frames.Envelope(EnvelopeKind.Reply, callId ^ (1UL << 40), right.Body),
                    .. Frames.Envelope(EnvelopeKind.Fault, callId + 1, [1]),
                    .. Frames.Envelope(EnvelopeKind.Reply, callId, right.Body),
                    .. Frames.Envelope(EnvelopeKind.Reply, callId, [1, 2, 3]),
                ]),
                false),
        };
        await using var client = new GlueClient(
            new GlueClientOptions { WrapConnector = inner => new HostileConnector(inner, _ => script) });
        var probes = client.CreateProxy<IProbes>("http://hostile");
        for (var i = 0; i < 3; i++)
            Assert.StartsWith("hello", await probes.EchoTextAsync("x").WaitAsync(Bound), StringComparison.Ordinal);
    }

    private static async Task<IReadOnlyList<RecordedEnvelope>> ExchangeAsync(byte[] envelopes)
    {
        await using var host = await GlueHost.StartAsync();
        using var raw = new RawLink(host.Address);
        var answer = await raw.ExchangeAsync(
        [
            .. Frames.Of(Frames.Envelope(EnvelopeKind.Hello, 0, Frames.Hello())), .. Frames.Of(envelopes),
            .. Frames.Of(Frames.Envelope(EnvelopeKind.Ping, PingId)),
        ]);
        List<RecordedEnvelope> answers = [.. Frames.PayloadsIn(answer).SelectMany(Frames.EnvelopesIn)];
        Assert.Contains(answers, one => one is { Kind: EnvelopeKind.Pong, CallId: PingId });
        return answers;
    }
}
