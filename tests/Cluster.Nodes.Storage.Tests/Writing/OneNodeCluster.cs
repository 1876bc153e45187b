using Cluster.Nodes.Status;

namespace Cluster.Nodes.Storage.Tests.Writing;

/// <summary>A cluster as its only node sees it. A test says which partitions the node owns; every key belongs to
/// partition 0, whose owner it always is. The lists are replaced as a whole.</summary>
internal sealed class OneNodeCluster : ICluster
{
    private readonly NodeDescription _self = Describe("self");
    private readonly NodeDescription _other = Describe("other");
    private volatile ClusterSnapshot _snapshot;

    public OneNodeCluster() => _snapshot = new ClusterSnapshot(1, [_self, _other], []);

    public NodeId Self => _self.Node;

    public ClusterRole Role => ClusterRole.Node;

    public ClusterSnapshot Snapshot => _snapshot;

    public IReadOnlyList<NodeDescription> Nodes => Snapshot.Nodes;

    /// <summary>Gives partitions to this node, and one more, the last, to another node.</summary>
    public void Own(params int[] partitions) => _snapshot = _snapshot with
    {
        Partitions =
        [
            .. partitions.Select(number => new PartitionDescription(new PartitionId(number), _self, 0)),
            new PartitionDescription(new PartitionId(99), _other, 0),
        ],
    };

    public NodeDescription? OwnerOf<TKey>(string state, TKey key)
        where TKey : notnull => _self;

    public PartitionId PartitionOf<TKey>(string state, TKey key)
        where TKey : notnull => new(0);

    public IAsyncEnumerable<ClusterEvent> WatchAsync(CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public ValueTask<NodeStatus> GetStatusAsync(NodeId node, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public Task<bool> DrainAsync(CancellationToken cancellationToken = default) => throw new NotSupportedException();

    private static NodeDescription Describe(string name) =>
        new(NodeId.NewIncarnation(name), "http://127.0.0.1:1", NodeState.Active, []);
}
