using System.Net.Sockets;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Liveness;

/// <summary>The connections that a liveness endpoint has accepted, each with a thread of its own. Those that have not
/// proven to be of nodes are few: a new one takes the place of the oldest, so that silent ones keep nobody out. Owned
/// by the endpoint. A private lock protects the lists; nothing waits under it.</summary>
/// <param name="greeting">What each of them gets.</param>
/// <param name="guard">Checks who may read the greeting; null: everybody may.</param>
/// <param name="served">Uses a connection after the greeting; null: it is closed then.</param>
internal sealed class LivenessConnections(
    byte[] greeting, LivenessGuard? guard, Action<LivenessConnection>? served) : IDisposable
{
    /// <summary>How many connections may be open that have not proven to be of a node.</summary>
    public const int MaxWaiting = 128;

    /// <summary>How many connections of nodes may be open.</summary>
    public const int MaxKept = ClusterTable.MaxMembers;

    private static readonly TimeSpan GreetingTimeout = TimeSpan.FromSeconds(1);

    // The Glue server's own limit is mostly shorter. This one holds also if the thread pool cannot run its timer.
    private static readonly TimeSpan HandshakeTimeout = TimeSpan.FromMinutes(1);

    private readonly Lock _lock = new();
    private readonly HashSet<LivenessConnection> _open = [];
    private readonly LinkedList<LivenessConnection> _waiting = new();
    private bool _isOver;

    /// <summary>How many connections are open.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
                return _open.Count;
        }
    }

    /// <summary>Takes a connection over, and greets it on a thread of its own. Only the thread that accepts calls
    /// this, and not after <see cref="Dispose"/>.</summary>
    public void Add(Socket accepted)
    {
        var connection = new LivenessConnection(this, accepted);
        LivenessConnection? oldest = null;
        lock (_lock)
        {
            if (_waiting.Count == MaxWaiting)
            {
                oldest = _waiting.First!.Value;
                _waiting.RemoveFirst();
            }

            _waiting.AddLast(connection);
            _open.Add(connection);
        }

        oldest?.Dispose();
        connection.Thread.UnsafeStart();
    }

    /// <summary>Moves a connection to those of nodes.</summary>
    /// <returns>False: there are too many of them, or the endpoint is closed.</returns>
    public bool TryKeep(LivenessConnection connection)
    {
        lock (_lock)
            return !_isOver && _open.Count - _waiting.Count < MaxKept && _waiting.Remove(connection);
    }

    /// <summary>Closes all connections, and waits for their threads.</summary>
    public void Dispose()
    {
        LivenessConnection[] open;
        lock (_lock)
        {
            _isOver = true;
            open = [.. _open];
        }

        foreach (var connection in open)
            connection.Dispose();
        foreach (var connection in open)
            connection.Thread.Join();
    }

    /// <summary>Uses a connection until its end, on its thread.</summary>
    public void Serve(LivenessConnection connection)
    {
        try
        {
            if (guard is not null)
            {
                connection.Limit(HandshakeTimeout);
                connection.Encrypt(guard);
            }

            connection.Limit(GreetingTimeout);
            connection.Greet(greeting);
            served?.Invoke(connection);
        }
        catch (Exception)
        {
            // The Glue server has logged a refusal. Mostly the other side has closed, or the endpoint has. Nothing that
            // a stranger sends may end the process.
        }
        finally
        {
            connection.Stream.Dispose();
            lock (_lock)
            {
                _open.Remove(connection);
                _waiting.Remove(connection);
            }
        }
    }
}
