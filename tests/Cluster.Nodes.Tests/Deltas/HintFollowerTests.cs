using Cluster.Nodes.Configuration;
using Cluster.Nodes.Deltas;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Tests.Watching;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Logging.Abstractions;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Deltas;

/// <summary>A client that an answer shows to be behind asks the owner that the answer named.</summary>
public sealed class HintFollowerTests : IAsyncDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly ClusterTable _first = Assigned(Member(0), Member(1), Member(2));
    private readonly RecentTables _peer;
    private readonly ConcurrentQueue<NodeId> _asked = new();
    private HintFollower? _follower;

    public HintFollowerTests() => _peer = ConfirmedTables.Tables(new TableView(null, _first));

    public async ValueTask DisposeAsync()
    {
        if (_follower is not null)
            await _follower.DisposeAsync();
    }

    [Fact]
    [Trait("Case", "cluster-F28")]
    public async Task Hint_ClientIsManyVersionsBehind_AsksOnceAndKnowsTheNewest()
    {
        var newest = Advance(100);
        var view = Start(self: null);
        for (var repeat = 0; repeat < 20; repeat++)
            Suggest(view, newest, repeat);
        await view.WaitForNewerAsync(newest.Version - 1, CancellationToken.None).AsTask().WaitAsync(Bound);
        Assert.Equal(newest.ProposerNonce, view.Current.ProposerNonce);
        Assert.Equal([Member(1).Node], _asked.Distinct());

        // A hint that came while the first question ran asks nobody any more.
        Assert.InRange(_asked.Count, 1, 2);
    }

    [Fact]
    public void Hint_Node_WaitsForTheStore()
    {
        var newest = Advance(3);
        var view = Start(Node(0));
        Suggest(view, newest, 0);
        Assert.Equal(_first.Version, view.Current.Version);
        Assert.Empty(_asked);
    }

    private ClusterTable Advance(int count)
    {
        var table = _first;
        for (var step = 0; step < count; step++)
        {
            var partition = new PartitionId(step % PartitionCount);
            table = table.StartSuccessor(Guid.NewGuid())
                .WithPartition(partition, table[partition].DeclareLost(Slot(1)));
            _peer.Publish(table);
        }

        return table;
    }

    private static void Suggest(TableView view, ClusterTable newest, int partition) => view.Suggest(
        new PartitionId(partition), new PartitionRoute(newest.Partitions[partition], Member(1)), newest.Version);

    private TableView Start(NodeId? self)
    {
        var view = new TableView(self, _first);
        var tables = ConfirmedTables.Tables(view);
        var client = new DeltaClient(tables, DeltasOf, TimeProvider.System, NullLogger<DeltaClient>.Instance);
        var loops = new LoopContext(
            TimeProvider.System, new NodeIdentity(Node(9)), NullLogger<LoopContext>.Instance);
        _follower = new HintFollower(tables, client, loops);
        _follower.Start();
        return view;
    }

    private TableDeltasService DeltasOf(ClusterMember member)
    {
        _asked.Enqueue(member.Node);
        return new TableDeltasService(_peer, TimeProvider.System);
    }
}
