using System.Net.Sockets;
using System.Threading.Channels;

namespace Cluster.Testing.Faults;

/// <summary>One connection through a relay, with a pump for each direction. Owned by the relay.</summary>
internal sealed class RelayConnection : IDisposable
{
    private const int ChunkBytes = 64 * 1024;
    private const int ChunkCountMax = 64;

    private readonly Socket _client;
    private readonly int _targetPort;
    private readonly Socket _target = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly CancellationTokenSource _end = new();
    private int _isOver;

    public RelayConnection(Socket client, int targetPort)
    {
        (_client, _targetPort) = (client, targetPort);
        _client.NoDelay = true;
    }

    /// <summary>Connects to the target and forwards bytes until one side has closed the connection. Never
    /// throws.</summary>
    public async Task CarryAsync(RelayFlow toTarget, RelayFlow fromTarget)
    {
        try
        {
            // The packets of a handshake travel in both directions.
            await toTarget.WaitUntilOpenAsync(_end.Token).ConfigureAwait(false);
            await fromTarget.WaitUntilOpenAsync(_end.Token).ConfigureAwait(false);
            await _target.ConnectAsync(IPAddress.Loopback, _targetPort, _end.Token).ConfigureAwait(false);
            await Task.WhenAll(PumpAsync(_client, _target, toTarget), PumpAsync(_target, _client, fromTarget))
                .ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is OperationCanceledException or SocketException
            or ObjectDisposedException)
        {
            // One side has ended the connection; the disposal tells the other side.
        }
    }

    /// <summary>Ends the connection at once. Idempotent.</summary>
    public void End()
    {
        if (Interlocked.Exchange(ref _isOver, 1) == 0)
            _end.Cancel();
    }

    public void Dispose()
    {
        End();

        // The other side sees a reset, as after a crash.
        foreach (var socket in new[] { _client, _target })
        {
            if (socket.Connected)
                socket.LingerState = new LingerOption(enable: true, seconds: 0);
            socket.Dispose();
        }
    }

    private async Task PumpAsync(Socket from, Socket to, RelayFlow flow)
    {
        var chunks = Channel.CreateBounded<RelayChunk>(ChunkCountMax);
        try
        {
            await Task.WhenAll(ReceiveAsync(from, chunks.Writer, flow), SendAsync(to, chunks.Reader, flow))
                .ConfigureAwait(false);
        }
        catch
        {
            // The pump of the other direction has nothing more to do.
            End();
            throw;
        }
    }

    private async Task ReceiveAsync(Socket from, ChannelWriter<RelayChunk> chunks, RelayFlow flow)
    {
        var due = 0L;
        while (true)
        {
            var buffer = new byte[ChunkBytes];
            var count = -1;
            try
            {
                count = await from.ReceiveAsync(buffer, _end.Token).ConfigureAwait(false);
            }
            catch (SocketException)
            {
                // The end is forwarded like bytes: a cut also holds back a reset.
            }

            flow.MayDamage(buffer.AsSpan(0, Math.Max(0, count)));
            var now = TimeProvider.System.GetTimestamp();
            due = Math.Max(due, now + (long)(flow.DrawDelay().TotalSeconds * TimeProvider.System.TimestampFrequency));
            await chunks.WriteAsync(new RelayChunk(buffer, count, due), _end.Token).ConfigureAwait(false);
            if (count <= 0)
                return;
        }
    }

    private async Task SendAsync(Socket to, ChannelReader<RelayChunk> chunks, RelayFlow flow)
    {
        while (true)
        {
            var chunk = await chunks.ReadAsync(_end.Token).ConfigureAwait(false);
            var left = TimeProvider.System.GetElapsedTime(TimeProvider.System.GetTimestamp(), chunk.Due);
            if (left > TimeSpan.Zero)
                await Task.Delay(left, TimeProvider.System, _end.Token).ConfigureAwait(false);
            await flow.WaitUntilOpenAsync(_end.Token).ConfigureAwait(false);
            if (chunk.Count < 0)
                throw new SocketException((int)SocketError.ConnectionReset);
            for (var sent = 0; sent < chunk.Count;)
            {
                sent += await to.SendAsync(chunk.Buffer.AsMemory(sent, chunk.Count - sent), _end.Token)
                    .ConfigureAwait(false);
            }

            if (chunk.Count == 0)
            {
                to.Shutdown(SocketShutdown.Send);
                return;
            }
        }
    }

    /// <summary>Bytes that a side has sent. Immutable.</summary>
    /// <param name="Buffer">The bytes.</param>
    /// <param name="Count">The number of bytes; zero: the side has closed its direction; less: it has ended.</param>
    /// <param name="Due">The timestamp before which they are not forwarded.</param>
    private readonly record struct RelayChunk(byte[] Buffer, int Count, long Due);
}
