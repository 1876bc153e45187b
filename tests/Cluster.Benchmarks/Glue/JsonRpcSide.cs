using System.Net.Sockets;
using StreamJsonRpc;

namespace Cluster.Benchmarks.Glue;

/// <summary>StreamJsonRpc over one TCP connection, with its MessagePack formatter, which is the faster one. Owned by
/// one row.</summary>
internal sealed class JsonRpcSide : IDisposable
{
    private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly NetworkStream _stream;
    private readonly LengthHeaderMessageHandler _handler;

    public JsonRpcSide(PeerProcess peer)
    {
        _socket.Connect(IPAddress.Loopback, peer.JsonRpcPort);
        _stream = new NetworkStream(_socket);
        _handler = HandlerOf(_stream);
        Proxy = JsonRpc.Attach<IAdder>(_handler);
    }

    public IAdder Proxy { get; }

    /// <summary>Serves every connection of a listener until it is stopped.</summary>
    public static async Task ServeAsync(TcpListener listener)
    {
        while (true)
        {
            var socket = await listener.AcceptSocketAsync();
            socket.NoDelay = true;
            var rpc = new JsonRpc(HandlerOf(new NetworkStream(socket, ownsSocket: true)), new Adder());
            rpc.StartListening();
        }
    }

    public void Dispose()
    {
        ((IDisposable)Proxy).Dispose();
        _stream.Dispose();
        _socket.Dispose();
    }

    private static LengthHeaderMessageHandler HandlerOf(Stream stream) => new(stream, stream, new MessagePackFormatter());
}
