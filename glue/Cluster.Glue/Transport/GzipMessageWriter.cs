using System.Buffers.Binary;
using System.IO.Compression;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Transport;

/// <summary>
/// Compresses framed gRPC messages for one sender, where that is worth it. What it gives lies in a buffer of its own.
/// </summary>
internal sealed class GzipMessageWriter
{
    /// <summary>Below that a message is hardly smaller than a packet, and gzip's own bytes eat what it saves.</summary>
    public const int BytesMin = 1024;

    // Not of the pool: nobody waits for the last send of a stream that is given up.
    private byte[] _buffer = [];

    /// <summary>One for a sender who compresses; null for others.</summary>
    public static GzipMessageWriter? For(GlueCompression compression)
        => compression == GlueCompression.Gzip ? new GzipMessageWriter() : null;

    /// <summary>
    /// The frame to send instead of one, valid until the next call; the same one when it is small or does not shrink.
    /// </summary>
    public ReadOnlyMemory<byte> Compress(ReadOnlyMemory<byte> frame)
    {
        if (frame.Length < BytesMin)
            return frame;
        if (_buffer.Length < frame.Length)
            _buffer = GC.AllocateUninitializedArray<byte>(frame.Length);
        using var output = new BoundedStream(_buffer.AsMemory(GlueWire.GrpcPrefixBytes..frame.Length));
        using (var gzip = new GZipStream(output, CompressionLevel.Fastest, leaveOpen: true))
            gzip.Write(frame.Span[GlueWire.GrpcPrefixBytes..]);
        if (output.IsFull)
            return frame;
        _buffer[0] = GlueWire.FlagCompressed;
        BinaryPrimitives.WriteInt32BigEndian(_buffer.AsSpan(1), output.Count);
        return _buffer.AsMemory(0, GlueWire.GrpcPrefixBytes + output.Count);
    }

    /// <summary>
    /// Takes bytes up to a bound and forgets what is beyond, so that what does not shrink costs no exception.
    /// </summary>
    private sealed class BoundedStream(Memory<byte> target) : Stream
    {
        public int Count { get; private set; }

        public bool IsFull => Count == target.Length;

        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            int taken = Math.Min(buffer.Length, target.Length - Count);
            buffer[..taken].CopyTo(target.Span[Count..]);
            Count += taken;
        }

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override void Flush()
        {
            // There is nothing behind it.
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();
    }
}
