using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Benchmarks.Glue;

/// <summary>Counts the envelopes in each batch that a client sends and receives, by powers of two. Counted without a
/// lock: one substream sends one batch at a time, and the small ones on the control substream do not
/// matter.</summary>
internal sealed class BatchCounts
{
    private const int PowersMax = 16;

    public long[] Sent { get; } = new long[PowersMax];

    public long[] Received { get; } = new long[PowersMax];

    /// <summary>Lets the batches of all streams pass by this.</summary>
    /// <param name="inner">Opens the streams.</param>
    public IMessageConnector Wrap(IMessageConnector inner) => new Connector(inner, this);

    private static void Count(ReadOnlySpan<byte> payload, long[] counts)
    {
        var reader = BatchHead.Open(payload, out _);
        uint envelopes = 0;
        for (; !reader.AtEnd; envelopes++)
            Envelope.Read(ref reader);
        if (envelopes > 0)
            counts[Math.Min(BitOperations.Log2(envelopes), PowersMax - 1)]++;
    }

    /// <summary>Opens counted streams.</summary>
    private sealed class Connector(IMessageConnector inner, BatchCounts counts) : IMessageConnector
    {
        public async ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken) =>
            new Counted(await inner.OpenAsync(address, cancellationToken), counts);
    }

    /// <summary>A stream whose batches are counted.</summary>
    private sealed class Counted(IMessageStream inner, BatchCounts counts) : IMessageStream
    {
        public int ReceiveBytesMax
        {
            get => inner.ReceiveBytesMax;
            set => inner.ReceiveBytesMax = value;
        }

        public ValueTask SendAsync(ReadOnlyMemory<byte> payload)
        {
            Count(payload.Span, counts.Sent);
            return inner.SendAsync(payload);
        }

        public async ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync()
        {
            var payload = await inner.ReceiveAsync();
            if (payload is { } batch)
                Count(batch.Span, counts.Received);
            return payload;
        }

        public ValueTask CompleteAsync() => inner.CompleteAsync();

        public void Abort() => inner.Abort();

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }
}
