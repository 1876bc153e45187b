using System.Net.Sockets;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Channels;

/// <summary>What a <see cref="RawHttp2Server"/> does with each request.</summary>
public enum Http2Refusal
{
    /// <summary>Resets its stream with REFUSED_STREAM.</summary>
    RefusedStream,

    /// <summary>Sends a GOAWAY whose last stream is before it.</summary>
    GoAwayBelow,

    /// <summary>Sends a GOAWAY whose last stream it is, and closes the connection.</summary>
    GoAwayAbove,

    /// <summary>Closes the connection.</summary>
    Drop,
}

/// <summary>Speaks just enough HTTP/2 to refuse requests in each of the ways that the protocol has, which no real
/// server does on demand. Owned by one test; its count is atomic.</summary>
internal sealed class RawHttp2Server : IAsyncDisposable
{
    private const int FrameHeaderBytes = 9;
    private const int PrefaceBytes = 24;
    private const byte Data = 0;
    private const byte Reset = 3;
    private const byte Settings = 4;
    private const byte GoAway = 7;
    private const byte EndStream = 1;
    private const byte Ack = 1;
    private const int RefusedStream = 7;

    private readonly LoopbackListener _listener;
    private readonly Http2Refusal _refusal;
    private int _requestCount;

    public RawHttp2Server(Http2Refusal refusal)
    {
        _refusal = refusal;
        _listener = new LoopbackListener(ServeAsync);
    }

    public string Address => _listener.Address;

    /// <summary>Requests that have come whole.</summary>
    public int RequestCount => Volatile.Read(ref _requestCount);

    public ValueTask DisposeAsync() => _listener.DisposeAsync();

    private async Task ServeAsync(Socket client, CancellationToken cancellationToken)
    {
        try
        {
            await using var stream = new NetworkStream(client, ownsSocket: true);
            var bytes = new byte[32 * 1024];
            await stream.ReadExactlyAsync(bytes.AsMemory(0, PrefaceBytes), cancellationToken);
            await SendAsync(stream, (Settings, 0, 0), [], cancellationToken);
            while (true)
            {
                await stream.ReadExactlyAsync(bytes.AsMemory(0, FrameHeaderBytes), cancellationToken);
                var length = (bytes[0] << 16) | (bytes[1] << 8) | bytes[2];
                (var type, var flags) = (bytes[3], bytes[4]);
                var id = BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(5));
                await stream.ReadExactlyAsync(bytes.AsMemory(0, length), cancellationToken);
                if (type == Settings && flags != Ack)
                    await SendAsync(stream, (Settings, Ack, 0), [], cancellationToken);
                if (type == Data && (flags & EndStream) != 0 && !await RefuseAsync(stream, id, cancellationToken))
                    return;
            }
        }
        catch (Exception exception) when (exception is IOException or OperationCanceledException or SocketException)
        {
            // The client has closed the connection, or the test is over.
        }
    }

    private async Task<bool> RefuseAsync(NetworkStream stream, int id, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _requestCount);
        switch (_refusal)
        {
            case Http2Refusal.RefusedStream:
                await SendAsync(stream, (Reset, 0, id), [0, 0, 0, RefusedStream], cancellationToken);
                return true;
            case Http2Refusal.GoAwayBelow:
                await SendAsync(stream, (GoAway, 0, 0), new byte[8], cancellationToken);
                return true;
            case Http2Refusal.GoAwayAbove:
                var last = new byte[8];
                BinaryPrimitives.WriteInt32BigEndian(last, id);
                await SendAsync(stream, (GoAway, 0, 0), last, cancellationToken);
                return false;
            default:
                return false;
        }
    }

    private static ValueTask SendAsync(
        NetworkStream stream, (byte Type, byte Flags, int Id) head, byte[] payload, CancellationToken cancellationToken)
    {
        var frame = new byte[FrameHeaderBytes + payload.Length];
        frame[2] = (byte)payload.Length;
        (frame[3], frame[4]) = (head.Type, head.Flags);
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(5), head.Id);
        payload.CopyTo(frame, FrameHeaderBytes);
        return stream.WriteAsync(frame, cancellationToken);
    }
}
