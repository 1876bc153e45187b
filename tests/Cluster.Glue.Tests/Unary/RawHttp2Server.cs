using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace Cluster.Glue.Tests.Unary;

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

/// <summary>
/// Speaks just enough HTTP/2 to refuse requests in each of the ways that the protocol has, which no real server does on
/// demand. Owned by one test; its count is atomic.
/// </summary>
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

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private readonly Http2Refusal _refusal;
    private readonly Task _accepting;
    private int _requestCount;

    public RawHttp2Server(Http2Refusal refusal)
    {
        _refusal = refusal;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public string Address => $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";

    /// <summary>Requests that have come whole.</summary>
    public int RequestCount => Volatile.Read(ref _requestCount);

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        _listener.Stop();
        await _accepting;
        _end.Dispose();
    }

    private async Task AcceptAsync()
    {
        var connections = new List<Task>();
        try
        {
            while (true)
                connections.Add(ServeAsync(await _listener.AcceptSocketAsync(_end.Token)));
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException)
        {
            await Task.WhenAll(connections);
        }
    }

    private async Task ServeAsync(Socket client)
    {
        try
        {
            await using var stream = new NetworkStream(client, ownsSocket: true);
            byte[] bytes = new byte[32 * 1024];
            await stream.ReadExactlyAsync(bytes.AsMemory(0, PrefaceBytes), _end.Token);
            await SendAsync(stream, Settings, 0, 0, []);
            while (true)
            {
                await stream.ReadExactlyAsync(bytes.AsMemory(0, FrameHeaderBytes), _end.Token);
                int length = (bytes[0] << 16) | (bytes[1] << 8) | bytes[2];
                (byte type, byte flags) = (bytes[3], bytes[4]);
                int id = BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(5));
                await stream.ReadExactlyAsync(bytes.AsMemory(0, length), _end.Token);
                if (type == Settings && flags != Ack)
                    await SendAsync(stream, Settings, Ack, 0, []);
                if (type == Data && (flags & EndStream) != 0 && !await RefuseAsync(stream, id))
                    return;
            }
        }
        catch (Exception exception) when (exception is IOException or OperationCanceledException or SocketException)
        {
            // The client has closed the connection, or the test is over.
        }
    }

    private async Task<bool> RefuseAsync(NetworkStream stream, int id)
    {
        Interlocked.Increment(ref _requestCount);
        switch (_refusal)
        {
            case Http2Refusal.RefusedStream:
                await SendAsync(stream, Reset, 0, id, [0, 0, 0, RefusedStream]);
                return true;
            case Http2Refusal.GoAwayBelow:
                await SendAsync(stream, GoAway, 0, 0, new byte[8]);
                return true;
            case Http2Refusal.GoAwayAbove:
                byte[] last = new byte[8];
                BinaryPrimitives.WriteInt32BigEndian(last, id);
                await SendAsync(stream, GoAway, 0, 0, last);
                return false;
            default:
                return false;
        }
    }

    private async Task SendAsync(NetworkStream stream, byte type, byte flags, int id, byte[] payload)
    {
        byte[] frame = new byte[FrameHeaderBytes + payload.Length];
        frame[2] = (byte)payload.Length;
        (frame[3], frame[4]) = (type, flags);
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(5), id);
        payload.CopyTo(frame, FrameHeaderBytes);
        await stream.WriteAsync(frame, _end.Token);
    }
}
