using System.Net.Sockets;
using System.Security.Authentication;
using Cluster.Contracts.Pacing;
using Cluster.Nodes.Liveness;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Beacons;

/// <summary>Sends beacons to one other node, one after the other, and waits for the answer to each, on a thread of its
/// own. So at most one beacon is on its way, and a slow node delays only its own beacons. A newer beacon replaces one
/// that was not sent yet. The connection is made when there is a beacon to send. Any thread may offer beacons and end
/// the sender; everything else belongs to the thread.</summary>
internal sealed class BeaconSender : IDisposable
{
    // As much as TLS and the state store's work on an answer need.
    private const int StackBytes = 512 << 10;
    private const string ThreadName = "cluster beacons";

    private readonly BeaconContext _context;
    private readonly ClusterMember _member;
    private readonly Backoff _backoff;
    private readonly Thread _thread;
    private readonly ManualResetEventSlim _isOffered = new();
    private readonly ManualResetEventSlim _isOver = new();
    private byte[]? _newest;
    private volatile Socket? _socket;
    private BlockingStream? _connection;
    private Stream? _stream;
    private long _connectedAt;
    private int _unexpected;

    /// <summary>Makes a sender, and starts its thread.</summary>
    /// <param name="context">The node that sends.</param>
    /// <param name="member">The node that the beacons are for.</param>
    public BeaconSender(BeaconContext context, ClusterMember member)
    {
        (_context, _member) = (context, member);
        _backoff = new Backoff(BeaconLimits.MinPause, BeaconLimits.MaxPause, context.Jitter);
        _thread = new Thread(Run, StackBytes) { IsBackground = true, Name = ThreadName };
        _thread.UnsafeStart();
    }

    /// <summary>Sends a beacon soon, in the place of one that was not sent yet.</summary>
    public void Offer(byte[] beacon)
    {
        Volatile.Write(ref _newest, beacon);
        _isOffered.Set();
    }

    /// <summary>Ends the sender, and does not wait for its thread.</summary>
    public void End()
    {
        _isOver.Set();
        _isOffered.Set();
        _socket?.Dispose();
    }

    /// <summary>Ends the sender, and waits for its thread.</summary>
    public void Dispose()
    {
        End();
        _thread.Join();
        _connection?.Dispose();
        _isOffered.Dispose();
        _isOver.Dispose();
    }

    private void Run()
    {
        while (WaitForBeacon())
        {
            try
            {
                if (_stream is not null && _context.Time.GetElapsedTime(_connectedAt) >= BeaconLimits.MaxAge)
                    Disconnect();
                Exchange(_stream ??= Connect());
                _backoff.Reset();
            }
            catch (Exception failure)
            {
                GiveUp(failure);
            }
        }

        Disconnect();
    }

    // The other node is gone, paused or cut off. The newest beacon is sent over the next connection. Nothing that the
    // other side sends may end the process. Of failures that nobody expects, the first is logged and then each
    // doubling.
    private void GiveUp(Exception failure)
    {
        Disconnect();
        if (_isOver.IsSet)
            return;
        if (!IsOfConnection(failure) && int.IsPow2(++_unexpected))
            _context.Failed(failure);
        _context.Unreachable(_member.Node);
        _isOver.Wait(_backoff.Next());
    }

    // False: the sender ends.
    private bool WaitForBeacon()
    {
        while (!_isOffered.Wait(BeaconLimits.IdleTimeout))
            Disconnect();
        _isOffered.Reset();
        return !_isOver.IsSet;
    }

    private void Exchange(Stream stream)
    {
        if (Interlocked.Exchange(ref _newest, null) is not { } beacon)
            return;
        _connection!.Limit(BeaconLimits.ExchangeTimeout);
        BeaconFrame.Write(stream, beacon);
        var answer = BeaconFrame.Read(stream) ?? throw new EndOfStreamException();
        if (answer.Length > 0)
            _context.Deliver(answer);
    }

    private Stream Connect()
    {
        var address = LivenessAddress.Parse(_member.LivenessAddress)
            ?? throw new BeaconRefusedException("the address of its liveness endpoint is not known");
        _connection = new BlockingStream(BeaconConnector.Connect(_context.Detour.Find(address), Take));
        _connection.Limit(BeaconLimits.ExchangeTimeout);
        var stream = LivenessAddress.IsEncrypted(_member)
            ? BlockingStream.Await(_context.Client.AuthenticateAsync(_connection, address.Host, CancellationToken.None))
            : _connection;
        BeaconHandshake.Open(stream, _context.Self, _member.Node.Incarnation, _context.Trust);
        _connectedAt = _context.Time.GetTimestamp();
        return stream;
    }

    // The end of the sender disposes the socket, or this does.
    private void Take(Socket socket)
    {
        _socket = socket;
        if (_isOver.IsSet)
            socket.Dispose();
    }

    private void Disconnect()
    {
        _stream?.Dispose();
        _stream = null;
        _socket?.Dispose();
        _socket = null;
    }

    private static bool IsOfConnection(Exception failure) => failure is SocketException or IOException
        or AuthenticationException or ObjectDisposedException or OperationCanceledException
        or BeaconRefusedException or GlueException;
}
