using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Cluster.Contracts;
using Cluster.Nodes;
using Cluster.Nodes.Status;
using Cluster.StateStore.Hosting.Tables;

namespace Shop.Drive.Tests.Front;

/// <summary>A cluster whose table and events a test decides; every key is in partition 0.</summary>
internal sealed class FakeCluster : ICluster
{
    private readonly Channel<ClusterEvent> _events = Channel.CreateUnbounded<ClusterEvent>();

    public NodeId Self { get; } = NodeId.NewIncarnation("front");

    public ClusterRole Role => ClusterRole.Client;

    public ClusterTable Table { get; set; } = ClusterTable.CreateEmpty(1);

    public IReadOnlyList<ClusterMember> Nodes => [.. Table.Members.Where(member => member.State != MemberState.Gone)];

    public ClusterMember? OwnerOf<TKey>(string state, TKey key)
        where TKey : notnull => Table[PartitionOf(state, key)].Primary is { } slot ? Table.FindMember(slot) : null;

    public PartitionId PartitionOf<TKey>(string state, TKey key)
        where TKey : notnull => new(0);

    public async IAsyncEnumerable<ClusterEvent> WatchAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var happened in _events.Reader.ReadAllAsync(cancellationToken))
            yield return happened;
    }

    public ValueTask<NodeStatus> GetStatusAsync(ClusterMember member, CancellationToken cancellationToken = default) =>
        ValueTask.FromResult(new NodeStatus { Name = member.Node.Name, Incarnation = member.Node.Incarnation });

    public Task<bool> DrainAsync(CancellationToken cancellationToken = default) => Task.FromResult(true);

    public NodeId Add(string name, MemberState state = MemberState.Active)
    {
        var node = NodeId.NewIncarnation(name);
        var slot = new NodeSlot((ushort)Table.Members.Length);
        var member = new ClusterMember(slot, node, "http://127.0.0.1:1", "127.0.0.1:2", default, state);
        Table = Table with { Members = Table.Members.Add(member) };
        return node;
    }

    public void Tell(ClusterEventKind kind, NodeId? node) =>
        _events.Writer.TryWrite(new ClusterEvent(kind, DateTimeOffset.UnixEpoch, Table.Version, node, 0));
}
