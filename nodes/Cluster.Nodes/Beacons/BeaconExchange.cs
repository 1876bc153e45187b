using Cluster.Glue;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Loops;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Beacons;

/// <summary>The beacons of this node, between the liveness endpoints of the nodes, on threads of their own: a starved
/// thread pool delays none of them. Owned by the host's services. A private lock protects the list of the senders;
/// nothing waits under it.</summary>
internal sealed class BeaconExchange : IDisposable
{
    private readonly Lock _lock = new();
    private readonly Dictionary<NodeId, BeaconSender> _senders = [];
    private readonly BeaconReceiver _receiver;
    private readonly BeaconContext _context;
    private volatile Action<NodeId>? _unreachable;
    private bool _isOver;

    /// <summary>Makes an exchange that takes and sends nothing yet.</summary>
    /// <param name="self">This node.</param>
    /// <param name="trust">What it proves, and asks for.</param>
    /// <param name="client">The client whose certificates are used where liveness endpoints use TLS.</param>
    /// <param name="loops">Logger and jitter.</param>
    /// <param name="detour">Where connections go instead; null: to the endpoints themselves.</param>
    public BeaconExchange(
        NodeIdentity self, PeerTrust trust, GlueClient client, LoopContext loops, LivenessDetour? detour = null)
    {
        var life = self.Node.Incarnation;
        _receiver = new BeaconReceiver(life, trust, loops);
        var jitter = loops.CreateJitter("Connecting to liveness endpoints");
        _context = new BeaconContext(life, trust.Identity, client, jitter)
        {
            Detour = detour ?? LivenessDetour.None,
            Time = loops.Time,
            Deliver = _receiver.Deliver,
            Failed = _receiver.Report,
            Unreachable = node => _unreachable?.Invoke(node),
        };
    }

    /// <summary>Connections to the liveness endpoint that were closed because they did not follow the format, or said
    /// nothing.</summary>
    public long RefusedConnections => _receiver.RefusedConnections;

    /// <summary>How many nodes send their beacons here.</summary>
    public int ConnectedNodes => _receiver.Count;

    /// <summary>Begins to take beacons. Called once, when the state store is made.</summary>
    /// <param name="taken">Takes beacons and their acknowledgements. It answers a beacon by <see cref="Answer"/> before
    /// it returns, or not at all.</param>
    /// <param name="unreachable">Called when a node could not be reached, or did not answer in time.</param>
    public void Begin(Action<ReadOnlyMemory<byte>> taken, Action<NodeId> unreachable) =>
        (_unreachable, _receiver.Taken) = (unreachable, taken);

    /// <summary>Sends a beacon to a member, in the place of one that was not sent yet.</summary>
    public void Send(ClusterMember member, byte[] beacon)
    {
        BeaconSender? sender;
        lock (_lock)
        {
            if (_isOver)
                return;
            if (!_senders.TryGetValue(member.Node, out sender))
                _senders[member.Node] = sender = new BeaconSender(_context, member);
        }

        sender.Offer(beacon);
    }

    /// <summary>Answers the beacon of a node that is delivered now.</summary>
    public void Answer(NodeId node, byte[] frame) => _receiver.Answer(node, frame);

    /// <summary>Uses a connection that the liveness endpoint has accepted.</summary>
    public void Serve(LivenessConnection connection) => _receiver.Serve(connection);

    /// <summary>Closes the connections of nodes that are no members any more.</summary>
    public void Keep(ClusterTable table)
    {
        _receiver.Keep(table);
        List<BeaconSender> gone = [];
        lock (_lock)
        {
            foreach (var node in _senders.Keys)
            {
                if (table.FindMember(node) is null && _senders.Remove(node, out var sender))
                    gone.Add(sender);
            }
        }

        foreach (var sender in gone)
            sender.End();
    }

    /// <summary>Sends nothing any more, and waits for the threads that do. The liveness endpoint ends the
    /// others.</summary>
    public void Dispose()
    {
        BeaconSender[] senders;
        lock (_lock)
        {
            _isOver = true;
            senders = [.. _senders.Values];
            _senders.Clear();
        }

        foreach (var sender in senders)
            sender.End();
        foreach (var sender in senders)
            sender.Dispose();
    }
}
