using System.Net;
using System.Net.Http.Headers;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Calls;

/// <summary>
/// The body of one unary request. Counts how often HttpClient has begun to send it: while that is never, the method
/// cannot have run. Written by HttpClient, read when the request has failed.
/// </summary>
internal sealed class UnaryContent : HttpContent
{
    private readonly ReadOnlyMemory<byte> _message;
    private int _attemptCount;

    public UnaryContent(ReadOnlyMemory<byte> message)
    {
        _message = message;
        Headers.ContentType = new MediaTypeHeaderValue(GlueWire.ContentType);
    }

    /// <summary>More than one when HttpClient has repeated a request that no server had begun to handle.</summary>
    public int AttemptCount => Volatile.Read(ref _attemptCount);

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        => SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override Task SerializeToStreamAsync(
        Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _attemptCount);
        return stream.WriteAsync(_message, cancellationToken).AsTask();
    }

    protected override bool TryComputeLength(out long length)
    {
        length = _message.Length;
        return true;
    }
}
