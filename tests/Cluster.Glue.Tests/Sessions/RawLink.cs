using System.Net.Http.Headers;
using System.Net.Sockets;
using Cluster.Glue.Tests.Wire;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>Speaks to a server below the level of calls: sends any bytes and reports how the server ends.</summary>
internal sealed class RawLink(string address) : IDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly HttpMessageInvoker _invoker =
        RawGrpc.CreateInvoker(Bound);

    /// <summary>Sends a whole request body at once and returns the server's status and message.</summary>
    public async Task<(string Status, string Message)> SendAsync(
        byte[] body,
        string path = RawGrpc.LinkPath,
        string contentType = GlueWire.ContentType,
        string? encoding = null)
    {
        using var content = new ByteArrayContent(body);
        content.Headers.ContentType = new MediaTypeHeaderValue(contentType);
        using var request = RawGrpc.Create(new Uri(new Uri(address), path), content);
        if (encoding is not null)
            request.Headers.Add("grpc-encoding", encoding);
        using var response = await _invoker.SendAsync(request, CancellationToken.None).WaitAsync(Bound);
        await response.Content.ReadAsByteArrayAsync().WaitAsync(Bound);
        HttpHeaders headers = response.TrailingHeaders.Contains(RawGrpc.StatusHeader)
            ? response.TrailingHeaders
            : response.Headers;
        var message = headers.TryGetValues(RawGrpc.MessageHeader, out var values)
            ? Uri.UnescapeDataString(values.First())
            : "";
        return (headers.GetValues(RawGrpc.StatusHeader).First(), message);
    }

    /// <summary>Sends a whole request body at once and returns the body of the answer.</summary>
    public async Task<byte[]> ExchangeAsync(byte[] body)
    {
        using var content = new ByteArrayContent(body);
        content.Headers.ContentType = new MediaTypeHeaderValue(GlueWire.ContentType);
        using var request = RawGrpc.Create(new Uri(new Uri(address), RawGrpc.LinkPath), content);
        using var response = await _invoker.SendAsync(request, CancellationToken.None).WaitAsync(Bound);
        return await response.Content.ReadAsByteArrayAsync().WaitAsync(Bound);
    }

    /// <summary>One framed batch with one envelope.</summary>
    public static byte[] Frame(EnvelopeKind kind, byte[] body, byte[]? after = null)
    {
        byte[] message = [.. UnaryMessage.Compose(new EnvelopeHeader { Kind = kind }, body), .. after ?? []];
        var payload = default(BatchHead).Write(message, GlueWire.Headroom);
        return RawGrpc.Frame(message.AsSpan(payload));
    }

    public static byte[] HelloFrame(uint lowest = 2, uint highest = 2)
    {
        var body = new WireBuffer(64, 1024);
        new Hello(
            lowest, highest, new NodeId("raw", Guid.NewGuid()), 1024 * 1024, 100, default, TimeSpan.Zero).Write(body);
        return Frame(EnvelopeKind.Hello, body.WrittenSpan.ToArray());
    }

    /// <summary>Sends bytes over bare TCP and waits until the server closes the connection.</summary>
    public async Task SendTcpAsync(byte[] bytes)
    {
        var uri = new Uri(address);
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, uri.Port));
        await socket.SendAsync(bytes);
        var buffer = new byte[4096];
        try
        {
            while (await socket.ReceiveAsync(buffer).WaitAsync(Bound) > 0)
            {
            }
        }
        catch (SocketException)
        {
            // A reset is as good an end as a close.
        }
    }

    public void Dispose() => _invoker.Dispose();
}
