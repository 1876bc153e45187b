using System.Net.Sockets;

namespace Cluster.Nodes.Liveness;

/// <summary>One connection that a liveness endpoint has accepted. A thread of its own uses it until it ends; any thread
/// may close it. Owned by <see cref="LivenessConnections"/>.</summary>
internal sealed class LivenessConnection : IDisposable
{
    // What the thread runs is a TLS handshake, and the state store's work on a beacon. The default would be 8 MiB of
    // address space for each of a thousand connections.
    private const int StackBytes = 512 << 10;
    private const string ThreadName = "cluster liveness connection";

    private readonly LivenessConnections _owner;
    private readonly Socket _socket;
    private readonly BlockingStream _bytes;

    public LivenessConnection(LivenessConnections owner, Socket accepted)
    {
        (_owner, _socket, From) = (owner, accepted, $"{accepted.RemoteEndPoint}");
        Stream = _bytes = new BlockingStream(accepted);
        Thread = new Thread(Run, StackBytes) { IsBackground = true, Name = ThreadName };
    }

    /// <summary>The address of the other side, for logs.</summary>
    public string From { get; }

    /// <summary>What is read and written, encrypted where the endpoint uses TLS.</summary>
    public Stream Stream { get; private set; }

    /// <summary>The thread that uses the connection.</summary>
    public Thread Thread { get; }

    /// <summary>Encrypts the connection.</summary>
    /// <param name="guard">Checks the other side.</param>
    public void Encrypt(LivenessGuard guard) => Stream = guard.Authenticate(_bytes, From);

    /// <summary>Says who listens here.</summary>
    public void Greet(byte[] greeting)
    {
        // What is said here is short, and must not wait for more bytes.
        _socket.NoDelay = true;
        Stream.Write(greeting);
        Stream.Flush();
    }

    /// <summary>Sets the deadline of everything that is read and written from now on.</summary>
    public void Limit(TimeSpan span) => _bytes.Limit(span);

    /// <summary>Keeps the connection open: the other side has proven that it is a node.</summary>
    /// <returns>False: there are too many of them.</returns>
    public bool TryKeep() => _owner.TryKeep(this);

    /// <summary>Closes the connection. What its thread reads or writes fails.</summary>
    public void Dispose() => _bytes.Dispose();

    private void Run() => _owner.Serve(this);
}
