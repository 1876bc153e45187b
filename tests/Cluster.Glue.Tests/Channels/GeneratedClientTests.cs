using Cluster.Glue.Tests.Fuzzing;
using Cluster.Glue.Wire;
using Google.Protobuf;
using Grpc.Core;
using Grpc.Net.Client;
using BytesValue = Google.Protobuf.WellKnownTypes.BytesValue;
using Published = Glue.V1.Glue;

namespace Cluster.Glue.Tests.Channels;

/// <summary>A client that gRPC's tools generate from the published <c>glue.proto</c>, against a server of
/// Glue.</summary>
public sealed class GeneratedClientTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    [Trait("Case", "transport-1")]
    public async Task Link_ShakesHandsAndAnswersAPing()
    {
        await using var host = await GlueHost.StartAsync();
        using var channel = GrpcChannel.ForAddress(host.Address);
        using var link = new Published.GlueClient(channel).Link();
        await link.RequestStream.WriteAsync(MessageOf(Frames.Envelope(EnvelopeKind.Hello, 0, Frames.Hello())));
        Assert.Equal(EnvelopeKind.Welcome, (await ReceiveAsync(link)).Kind);
        await link.RequestStream.WriteAsync(MessageOf(Frames.Envelope(EnvelopeKind.Ping, 7)));
        var pong = await ReceiveAsync(link);
        Assert.Equal((EnvelopeKind.Pong, 7UL), (pong.Kind, pong.CallId));
        await link.RequestStream.CompleteAsync();
        Assert.False(await link.ResponseStream.MoveNext(CancellationToken.None).WaitAsync(Bound));
        Assert.Equal(StatusCode.OK, link.GetStatus().StatusCode);
    }

    [Fact]
    [Trait("Case", "transport-1")]
    public async Task Call_ThatBreaksTheRules_IsAnsweredWithAStatus()
    {
        await using var host = await GlueHost.StartAsync();
        using var channel = GrpcChannel.ForAddress(host.Address);
        var refusal = await Assert.ThrowsAsync<RpcException>(
            () => new Published.GlueClient(channel).CallAsync(MessageOf(Frames.Envelope(EnvelopeKind.Ping))).ResponseAsync
                .WaitAsync(Bound));
        Assert.Equal(StatusCode.InvalidArgument, refusal.StatusCode);
        Assert.Contains("not exactly one request envelope", refusal.Status.Detail, StringComparison.Ordinal);
        Assert.Equal("1", refusal.Trailers.GetValue(GlueWire.NotStartedHeader));
    }

    private static BytesValue MessageOf(byte[] envelopes) => new() { Value = ByteString.CopyFrom([1, 0, 0, .. envelopes]) };

    private static async Task<RecordedEnvelope> ReceiveAsync(AsyncDuplexStreamingCall<BytesValue, BytesValue> link)
    {
        // Batches without envelopes tell what was received.
        while (await link.ResponseStream.MoveNext(CancellationToken.None).WaitAsync(Bound))
        {
            var envelopes = Frames.EnvelopesIn(link.ResponseStream.Current.Value.ToByteArray());
            if (envelopes.Count > 0)
                return Assert.Single(envelopes);
        }

        throw new InvalidOperationException("The server has ended the link.");
    }
}
