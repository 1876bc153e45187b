namespace Cluster.Buffers;

/// <summary>Copies whole buffers to and from streams in pieces, under a lease, so that the buffer is not freed during
/// the copy. Stateless.</summary>
internal static class BufferStreams
{
    // Streams over files and sockets gain nothing from larger pieces, and a cancellation waits for one piece.
    private const int PieceBytes = 1 << 20;

    public static void Write(PileBuffer<byte> buffer, Stream destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        buffer.Retain();
        try
        {
            var length = buffer.Length;
            for (long start = 0; start < length; start += PieceBytes)
                destination.Write(buffer.AsSpan(start, PieceAt(start, length)));
        }
        finally
        {
            buffer.Release();
        }
    }

    public static async Task WriteAsync(
        PileBuffer<byte> buffer, Stream destination, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(destination);
        buffer.Retain();
        try
        {
            var length = buffer.Length;
            for (long start = 0; start < length; start += PieceBytes)
                await destination.WriteAsync(buffer.AsMemory(start, PieceAt(start, length)), cancellationToken)
                    .ConfigureAwait(false);
        }
        finally
        {
            buffer.Release();
        }
    }

    public static void Read(PileBuffer<byte> buffer, Stream source)
    {
        ArgumentNullException.ThrowIfNull(source);
        buffer.Retain();
        try
        {
            var length = buffer.Length;
            for (long start = 0; start < length; start += PieceBytes)
                source.ReadExactly(buffer.AsSpan(start, PieceAt(start, length)));
        }
        finally
        {
            buffer.Release();
        }
    }

    public static async Task ReadAsync(PileBuffer<byte> buffer, Stream source, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(source);
        buffer.Retain();
        try
        {
            var length = buffer.Length;
            for (long start = 0; start < length; start += PieceBytes)
                await source.ReadExactlyAsync(buffer.AsMemory(start, PieceAt(start, length)), cancellationToken)
                    .ConfigureAwait(false);
        }
        finally
        {
            buffer.Release();
        }
    }

    private static int PieceAt(long start, long length) => (int)Math.Min(PieceBytes, length - start);
}
