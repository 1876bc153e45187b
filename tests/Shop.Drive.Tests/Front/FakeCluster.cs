using System.Threading.Channels;
using Cluster.Contracts;
using Cluster.Nodes;
using Cluster.Nodes.Status;

namespace Shop.Drive.Tests.Front;

/// <summary>A cluster whose nodes, owner and events are set by a test. Every key belongs to partition 0.</summary>
internal sealed class FakeCluster : ICluster
{
    private readonly Channel<ClusterEvent> _events = Channel.CreateUnbounded<ClusterEvent>();

    public NodeId Self { get; } = NodeId.NewIncarnation("front");

    public ClusterRole Role => ClusterRole.Client;

    public ClusterSnapshot Snapshot { get; private set; } = new(1, [], [new(new PartitionId(0), null, 0)]);

    public IReadOnlyList<NodeDescription> Nodes => Snapshot.Nodes;

    public NodeDescription? OwnerOf<TKey>(string state, TKey key)
        where TKey : notnull => Snapshot.Partitions[0].Owner;

    public PartitionId PartitionOf<TKey>(string state, TKey key)
        where TKey : notnull => new(0);

    public async IAsyncEnumerable<ClusterEvent> WatchAsync(
        [EnumeratorCancellation] CancellationToken cancellation = default)
    {
        await foreach (var happened in _events.Reader.ReadAllAsync(cancellation))
            yield return happened;
    }

    public ValueTask<NodeStatus> GetStatusAsync(NodeId node, CancellationToken cancellation = default) =>
        ValueTask.FromResult(new NodeStatus { Name = node.Name, Incarnation = node.Incarnation });

    public Task<bool> DrainAsync(CancellationToken cancellation = default) => Task.FromResult(true);

    public NodeId Add(string name)
    {
        var node = new NodeDescription(NodeId.NewIncarnation(name), "http://127.0.0.1:1", NodeState.Active, []);
        Snapshot = Snapshot with { Nodes = [.. Nodes, node] };
        return node.Node;
    }

    /// <summary>Makes a node the owner of the one partition.</summary>
    public void Own(NodeId owner, int lossCount = 0)
    {
        var node = Nodes.Single(known => known.Node == owner);
        Snapshot = Snapshot with { Partitions = [new PartitionDescription(new PartitionId(0), node, lossCount)] };
    }

    public void Tell(ClusterEventKind kind, NodeId? node) =>
        _events.Writer.TryWrite(new ClusterEvent(kind, DateTimeOffset.UnixEpoch, Snapshot.Version, node, 0));
}
