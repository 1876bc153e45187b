using System.IO.Pipelines;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>A server's side of one stream, in memory below the messages: the bytes that a script gives are cut into
/// messages with Glue's own rules. The client sends from one task at a time, and the script answers from
/// there.</summary>
internal sealed class HostileStream(HostileScript script) : IMessageStream
{
    private readonly Pipe _pipe = new(new PipeOptions(pauseWriterThreshold: 0));
    private readonly CancellationTokenSource _aborted = new();

    public int ReceiveBytesMax { get; set; } = GlueLimits.HandshakeBytesMax;

    public async ValueTask SendAsync(ReadOnlyMemory<byte> payload)
    {
        foreach (var one in Frames.EnvelopesIn(payload.ToArray()))
        {
            (var bytes, var endsStream) = script.AnswerTo(one);
            if (bytes.Length > 0)
                await _pipe.Writer.WriteAsync(bytes, _aborted.Token);
            if (endsStream)
                await _pipe.Writer.CompleteAsync();
        }
    }

    public async ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync()
    {
        while (true)
        {
            var read = await _pipe.Reader.ReadAsync(_aborted.Token);
            if (GrpcFrame.LengthOf(read.Buffer, ReceiveBytesMax, isGzipAgreedOn: false) is { } length
                && read.Buffer.Length >= length)
            {
                var message = read.Buffer.Slice(GlueWire.GrpcPrefixBytes, length - GlueWire.GrpcPrefixBytes).ToArray();
                _pipe.Reader.AdvanceTo(read.Buffer.GetPosition(length));
                return BytesValue.ReadPayload(message);
            }

            _pipe.Reader.AdvanceTo(read.Buffer.Start, read.Buffer.End);
            if (read.IsCompleted)
                return read.Buffer.IsEmpty ? null : throw GrpcFrame.CutShort(read.Buffer.Length);
        }
    }

    public async ValueTask CompleteAsync() => await _pipe.Writer.CompleteAsync();

    public void Abort() => _aborted.Cancel();

    public async ValueTask DisposeAsync()
    {
        await _aborted.CancelAsync();
        _aborted.Dispose();
    }
}

/// <summary>What a hostile server says. One per worker; used by one stream at a time.</summary>
internal sealed class HostileScript
{
    /// <summary>The answer to the client's Hello, whole messages.</summary>
    public byte[] Welcome { get; set; } = [];

    /// <summary>The answer to a call with this id, whole messages, and whether the stream ends behind them.</summary>
    public Func<ulong, (byte[] Bytes, bool EndsStream)> Answer { get; set; } = _ => ([], false);

    /// <summary>The answer to the first credit of a stream, whole messages.</summary>
    public byte[] Items { get; set; } = [];

    /// <summary>The answer to a Join, whole messages.</summary>
    public byte[] Joined { get; set; } = Frames.Of(Frames.Envelope(EnvelopeKind.Joined, 0, [0]));

    /// <summary>The answer to a Proof with this body, whole messages.</summary>
    public Func<byte[], byte[]> Proven { get; set; } = _ => [];

    public (byte[] Bytes, bool EndsStream) AnswerTo(RecordedEnvelope one)
    {
        switch (one.Kind)
        {
            case EnvelopeKind.Hello:
                return (Welcome, false);
            case EnvelopeKind.Bind:
                // All methods are the same on both sides.
                var first = Frames.Varint((ulong)new WireReader(one.Body).ReadLength(int.MaxValue, "first"));
                return (Frames.Of(Frames.Envelope(EnvelopeKind.Bound, one.CallId, [.. first, 0])), false);
            case EnvelopeKind.Call:
                return Answer(one.CallId);
            case EnvelopeKind.Proof:
                return (Proven(one.Body), false);
            case EnvelopeKind.Join:
                return (Joined, false);
            case EnvelopeKind.Credit:
                (var items, Items) = (Items, []);
                return (items, false);
            default:
                return ([], false);
        }
    }
}

/// <summary>Opens streams to the scripted server for its host names, and real ones for all others. Stateless.</summary>
internal sealed class HostileConnector(IMessageConnector inner, Func<string, HostileScript?> scriptOf)
    : IMessageConnector
{
    public ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken) =>
        scriptOf(address.Host) is { } script
            ? new ValueTask<IMessageStream>(new HostileStream(script))
            : inner.OpenAsync(address, cancellationToken);
}
