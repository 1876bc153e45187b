using System.Net.Sockets;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Loops;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Beacons;

/// <summary>Takes the beacons of other nodes from connections to this node's liveness endpoint, and answers each on its
/// connection. Runs on the threads of the connections. A connection that does not follow the format, or that says
/// nothing, is closed and counted. Thread-safe.</summary>
/// <param name="self">The life of this node.</param>
/// <param name="trust">What this node proves, and asks for.</param>
/// <param name="loops">Clock and logger.</param>
internal sealed partial class BeaconReceiver(Guid self, PeerTrust trust, LoopContext loops)
{
    private readonly ConcurrentDictionary<Guid, BeaconVisitor> _visitors = new();
    private volatile Action<ReadOnlyMemory<byte>>? _taken;
    private long _refused;

    /// <summary>Takes a beacon, and answers it by <see cref="Answer"/> before it returns, or not at all. Null: this
    /// node takes none yet.</summary>
    public Action<ReadOnlyMemory<byte>>? Taken
    {
        get => _taken;
        set => _taken = value;
    }

    /// <summary>Connections that were closed because they did not follow the format, or said nothing.</summary>
    public long RefusedConnections => Interlocked.Read(ref _refused);

    /// <summary>How many nodes are connected.</summary>
    public int Count => _visitors.Count;

    /// <summary>Uses a connection until its end.</summary>
    public void Serve(LivenessConnection connection)
    {
        try
        {
            connection.Limit(BeaconLimits.HelloTimeout);
            if (Accept(connection) is { } sender)
                Exchange(connection, sender);
        }
        catch (BeaconRefusedException refusal)
        {
            var count = Interlocked.Increment(ref _refused);
            if (long.IsPow2(count))
                LogRefused(loops.Logger, LogText.Clean(connection.From), LogText.Clean(refusal.Message), count);
        }
        catch (Exception failure) when (failure is not (IOException or ObjectDisposedException))
        {
            Report(failure);
        }
    }

    /// <summary>Delivers a beacon, or the answer to one. The connection survives what goes wrong here.</summary>
    public void Deliver(ReadOnlyMemory<byte> frame)
    {
        try
        {
            Taken?.Invoke(frame);
        }
        catch (Exception failure)
        {
            Report(failure);
        }
    }

    /// <summary>Logs what should not have happened.</summary>
    public void Report(Exception failure) => LogFailed(loops.Logger, LogText.Clean(failure));

    /// <summary>Answers the beacon of a node that is delivered now. Without a connection, the answer is lost.</summary>
    public void Answer(NodeId node, byte[] frame)
    {
        if (_visitors.TryGetValue(node.Incarnation, out var visitor))
            visitor.Answer(frame);
    }

    /// <summary>Closes the connections of nodes that are no members any more.</summary>
    public void Keep(ClusterTable table)
    {
        var members = table.Members.Select(member => member.Node.Incarnation).ToHashSet();
        foreach (var (life, visitor) in _visitors)
        {
            if (!members.Contains(life))
                visitor.Connection.Dispose();
        }
    }

    // Null: a probe, or a connection that was silent.
    private Guid? Accept(LivenessConnection connection)
    {
        try
        {
            return BeaconHandshake.Accept(connection.Stream, self, trust.Identity);
        }
        catch (IOException late) when (late.InnerException is SocketException { SocketErrorCode: SocketError.TimedOut })
        {
            // No warning: it may be a monitor, or a node on a machine that is too busy. Such a node tries again.
            Interlocked.Increment(ref _refused);
            return null;
        }
    }

    private void Exchange(LivenessConnection connection, Guid sender)
    {
        if (Taken is null)
            throw new BeaconRefusedException("this node takes no beacons yet");
        if (!connection.TryKeep())
            throw new BeaconRefusedException($"{LivenessConnections.MaxKept} nodes are connected");
        var visitor = new BeaconVisitor(connection);
        var begun = loops.Time.GetTimestamp();
        Register(sender, visitor);
        try
        {
            while (loops.Time.GetElapsedTime(begun) < BeaconLimits.MaxAcceptedAge
                && ReadBeacon(connection) is { } beacon)
            {
                // An answer that came too late for the beacon before is not one to this.
                visitor.TakeAnswer();
                Deliver(beacon);
                connection.Limit(BeaconLimits.ExchangeTimeout);
                BeaconFrame.Write(connection.Stream, visitor.TakeAnswer());
            }
        }
        finally
        {
            _visitors.TryRemove(new KeyValuePair<Guid, BeaconVisitor>(sender, visitor));
        }
    }

    // A node that connects again has given its former connection up.
    private void Register(Guid sender, BeaconVisitor visitor)
    {
        BeaconVisitor? former = null;
        _visitors.AddOrUpdate(sender, visitor, (_, found) =>
        {
            former = found;
            return visitor;
        });
        former?.Connection.Dispose();
    }

    private static byte[]? ReadBeacon(LivenessConnection connection)
    {
        connection.Limit(BeaconLimits.IdleTimeout);
        return BeaconFrame.Read(connection.Stream) switch
        {
            { Length: 0 } => throw new BeaconRefusedException("a beacon of no bytes"),
            var beacon => beacon,
        };
    }
}
