using System.Buffers;
using System.IO.Compression;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Transport;

/// <summary>
/// Expands compressed gRPC messages for one receiver, into a buffer that grows with what has come out, never beyond
/// the limit: what would become larger is refused as soon as it does.
/// </summary>
internal sealed class GzipMessageReader : IDisposable
{
    private const int InitialBytes = 16 * 1024;
    private const int KeptBytesMax = 256 * 1024;

    // Head 10, an empty block 2, trailer 8. The stream takes the beginning of a head for a gzip of nothing.
    private const int GzipBytesMin = 20;

    private byte[] _buffer = [];

    /// <summary>The message, valid until the next call.</summary>
    /// <exception cref="WireException">It is no gzip, or larger than allowed.</exception>
    public ReadOnlyMemory<byte> Expand(ArraySegment<byte> compressed, int bytesMax)
    {
        // .NET's own gzip of nothing is nothing.
        if (compressed.Count == 0)
            return default;
        if (compressed.Count < GzipBytesMin)
            throw NoGzip($"it has {compressed.Count} bytes.");
        if (_buffer.Length > KeptBytesMax)
            Dispose();
        if (_buffer.Length == 0)
            _buffer = ArrayPool<byte>.Shared.Rent(InitialBytes);
        using var input = new MemoryStream(compressed.Array!, compressed.Offset, compressed.Count, writable: false);
        using var gzip = new GZipStream(input, CompressionMode.Decompress);
        int count = 0;
        try
        {
            for (int read; (read = gzip.Read(_buffer, count, _buffer.Length - count)) > 0;)
            {
                count += read;
                if (count > bytesMax)
                    throw new WireException($"gRPC frame: {compressed.Count} compressed bytes become more than the "
                        + $"{bytesMax} that are allowed here.");
                if (count == _buffer.Length)
                    Grow(count);
            }
        }
        catch (Exception exception) when (exception is InvalidDataException or IOException)
        {
            throw NoGzip(exception.Message);
        }

        return _buffer.AsMemory(0, count);
    }

    public void Dispose()
    {
        if (_buffer.Length > 0)
            ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
    }

    private static WireException NoGzip(string reason)
        => new WireException($"gRPC frame: what is flagged as compressed is no gzip: {reason}");

    private void Grow(int count)
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(checked(2 * _buffer.Length));
        _buffer.AsSpan(0, count).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = larger;
    }
}
