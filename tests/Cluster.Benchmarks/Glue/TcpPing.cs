using System.Net.Sockets;

namespace Cluster.Benchmarks.Glue;

/// <summary>The rival below everything: one caller on a socket of its own, without any protocol.</summary>
internal sealed class TcpPing : IDisposable
{
    private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly byte[] _message = new byte[45];
    private readonly byte[] _buffer = new byte[64];

    public TcpPing(PeerProcess peer) => _socket.Connect(IPAddress.Loopback, peer.TcpPort);

    public async Task PingAsync()
    {
        await _socket.SendAsync(_message);
        await _socket.ReceiveAsync(_buffer);
    }

    public void Dispose() => _socket.Dispose();
}
