using System.Buffers;
using System.Buffers.Binary;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Transport;

/// <summary>
/// Cuts a byte stream into gRPC messages. Owned by one receiver; its buffer grows with the bytes that have arrived,
/// never with a length that was merely announced. Disposed during a read, it leaves its buffer to the garbage
/// collector: the read may still write into it.
/// </summary>
/// <param name="initialBytes">Of the buffer, which is rented when the first message is waited for.</param>
internal sealed class GrpcMessageReader(int initialBytes = GrpcMessageReader.StreamBytes) : IDisposable
{
    private const int Free = 0;
    private const int Reading = 1;
    private const int Disposed = 2;

    // Two batches.
    private const int StreamBytes = 32 * 1024;

    // The pool does not hold as many larger arrays as there may be callers.
    private const int OneMessageBytes = 4 * 1024;

    private GzipMessageReader? _gzip;
    private byte[] _buffer = [];
    private int _start;
    private int _end;
    private int _use;

    public int BytesMax { get; set; } = GlueLimits.HandshakeBytesMax;

    /// <summary>Reads one message, of the many that are waited for at once.</summary>
    public static GrpcMessageReader ForOneMessage(int bytesMax) => new(OneMessageBytes) { BytesMax = bytesMax };

    /// <summary>Notes how the peer says that it compresses; without a word it must not.</summary>
    public void Accept(string? encoding)
    {
        if (!GrpcEncoding.IsKnown(encoding))
            throw new WireException($"gRPC frame: compressed with '{encoding}', Glue reads {GrpcEncoding.Accepted}.");
        if (GrpcEncoding.IsGzip(encoding))
            _gzip = new GzipMessageReader();
    }

    /// <summary>The payload of the next message, valid until the next call; null at the end of the stream.</summary>
    public async ValueTask<ReadOnlyMemory<byte>?> ReadAsync(Stream input, CancellationToken cancellationToken)
    {
        BeginReading();
        try
        {
            while (true)
            {
                if (TryTakeMessage(out ReadOnlyMemory<byte> message))
                    return BytesValue.ReadPayload(message);
                MakeRoom();
                int count = await input.ReadAsync(_buffer.AsMemory(_end), cancellationToken).ConfigureAwait(false);
                if (count == 0)
                {
                    return _start == _end
                        ? null
                        : throw new WireException(
                            $"gRPC frame: the stream ended after {_end - _start} bytes of a message.");
                }

                _end += count;
            }
        }
        finally
        {
            EndReading();
        }
    }

    /// <summary>Whether the stream ends behind the last message.</summary>
    public async ValueTask<bool> IsAtEndAsync(Stream input, CancellationToken cancellationToken)
    {
        if (_start != _end)
            return false;
        _start = _end = 0;
        BeginReading();
        try
        {
            _end = await input.ReadAsync(_buffer, cancellationToken).ConfigureAwait(false);
            return _end == 0;
        }
        finally
        {
            EndReading();
        }
    }

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _use, Disposed) != Free)
            return;
        _gzip?.Dispose();
        if (_buffer.Length > 0)
            ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
        _start = _end = 0;
    }

    private void BeginReading()
    {
        int use = Interlocked.CompareExchange(ref _use, Reading, Free);
        ObjectDisposedException.ThrowIf(use == Disposed, this);
        if (use == Reading)
            throw new InvalidOperationException("A message is being read already.");
    }

    private void EndReading() => Interlocked.CompareExchange(ref _use, Free, Reading);

    private bool TryTakeMessage(out ReadOnlyMemory<byte> message)
    {
        message = default;
        int available = _end - _start;
        if (available < GlueWire.GrpcPrefixBytes)
            return false;
        ReadOnlySpan<byte> prefix = _buffer.AsSpan(_start, GlueWire.GrpcPrefixBytes);
        byte flag = prefix[0];
        if (flag != 0 && (flag != GlueWire.FlagCompressed || _gzip is null))
            throw new WireException($"gRPC frame: compressed flag {flag}; compression was not agreed on.");
        uint length = BinaryPrimitives.ReadUInt32BigEndian(prefix[1..]);
        // The envelope of BytesValue does not count against the limit, so that both sides mean the same payload.
        uint lengthMax = (uint)BytesMax + 1 + Varint.BytesMax;
        if (length > lengthMax)
            throw new WireException($"gRPC frame: {length} bytes announced, {BytesMax} are allowed here.");
        if (available - GlueWire.GrpcPrefixBytes < length)
            return false;
        var content = new ArraySegment<byte>(_buffer, _start + GlueWire.GrpcPrefixBytes, (int)length);
        message = flag == 0 ? content : _gzip!.Expand(content, (int)lengthMax);
        _start += GlueWire.GrpcPrefixBytes + (int)length;
        return true;
    }

    private void MakeRoom()
    {
        if (_start == _end)
        {
            _start = _end = 0;
            RentIfNoneOrLarge();
            return;
        }

        if (_end < _buffer.Length)
            return;
        int length = _end - _start;
        byte[] target = length > _buffer.Length / 2
            ? ArrayPool<byte>.Shared.Rent(checked(_buffer.Length * 2))
            : _buffer;
        _buffer.AsSpan(_start, length).CopyTo(target);
        if (target != _buffer)
            ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = target;
        _start = 0;
        _end = length;
    }

    private void RentIfNoneOrLarge()
    {
        if (_buffer.Length is > 0 and <= 8 * StreamBytes)
            return;
        if (_buffer.Length > 0)
            ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = ArrayPool<byte>.Shared.Rent(initialBytes);
    }
}
