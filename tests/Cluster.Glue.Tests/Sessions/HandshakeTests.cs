using Cluster.Glue.Sessions;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>What an opener of a link learns when the server refuses it before it has read what the opener
/// sends.</summary>
public sealed class HandshakeTests
{
    [Fact]
    public async Task Offer_ThatTheServerDoesNotRead_FailsWithWhatTheServerAnswered()
    {
        await using var stream = new RefusingStream();
        var own = new Hello(2, 2, new NodeId("a", Guid.Empty), 4096, 128, default, TimeSpan.FromSeconds(1));
        var refusal = await Assert.ThrowsAsync<GrpcStatusException>(
            () => Handshake.OfferAsync(stream, own, null).AsTask());
        Assert.Equal((StatusCode.ResourceExhausted, "come again"), (refusal.Status, refusal.Message));
    }

    private sealed class RefusingStream : IMessageStream
    {
        public int ReceiveBytesMax { get; set; }

        public ValueTask SendAsync(ReadOnlyMemory<byte> payload) => throw new IOException("the server has ended the stream");

        public ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync() =>
            throw new GrpcStatusException(StatusCode.ResourceExhausted, "come again");

        public ValueTask CompleteAsync() => ValueTask.CompletedTask;

        public void Abort()
        {
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
