using System.IO.Compression;
using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Transport;

/// <summary>Expands one gzip, and refuses the data as soon as the output exceeds a limit. A refusal is a gRPC status,
/// because gRPC sends a status to the peer and logs all other exceptions as errors of the server. For one
/// reader.</summary>
internal sealed class BoundedGzipStream(Stream compressed, int bytesMax) : Stream
{
    private readonly GZipStream _gzip = new(compressed, CompressionMode.Decompress);
    private long _count;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(Span<byte> buffer)
    {
        int read;
        try
        {
            read = _gzip.Read(buffer);
        }
        catch (Exception exception) when (exception is InvalidDataException or IOException)
        {
            throw Refusal(new WireException(
                $"gRPC frame: what is flagged as compressed is no gzip: {exception.Message}"));
        }

        _count += read;
        return _count <= bytesMax
            ? read
            : throw Refusal(new WireException(
                $"gRPC frame: a compressed message becomes more than the {bytesMax} bytes that are allowed here."));
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Flush() => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _gzip.Dispose();
        base.Dispose(disposing);
    }

    private static RpcException Refusal(WireException violation) =>
        new(new Status(StatusCode.InvalidArgument, violation.Message, violation));
}
