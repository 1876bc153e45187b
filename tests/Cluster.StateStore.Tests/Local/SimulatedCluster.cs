using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Tests.Hosting.Tables;
using Cluster.Testing;

namespace Cluster.StateStore.Tests.Local;

/// <summary>Several nodes in one process, each with its pile, store, view and router. A test publishes tables by hand
/// and can make calls between nodes fail. Uses a manual clock by default.</summary>
internal sealed class SimulatedCluster : IAsyncDisposable
{
    private readonly Lock _lock = new();
    private readonly List<SimulatedNode> _nodes = [];
    private ClusterTable _table;

    public SimulatedCluster(int nodes, int partitions = 16, TimeProvider? time = null, StateCatalog? catalog = null)
    {
        Time = time ?? new ManualTimeProvider();
        Catalog = catalog ?? new StateCatalog([Carts, Texts, Counts]);
        Hash = new PartitionHash(new ClusterMeta(Guid.NewGuid(), "test", partitions, 42, 1));
        var members = Enumerable.Range(1, nodes).Select(slot => TableFixture.Member(slot)).ToArray();
        _table = TableFixture.Table(partitions, members).Assign();
        foreach (var member in members)
            _nodes.Add(new SimulatedNode(this, member, _table));
        Client = new StateRouter(new TableView(null, _table), new Directory(this), Hash, null, RouterOptions());
        foreach (var node in _nodes)
            node.ServeWhatTheTableSays();
    }

    public static StateDefinition<string, Cart> Carts { get; } = StateDefinition.Create<string, Cart>("carts");

    public static StateDefinition<long, string> Texts { get; } =
        StateDefinition.Create<long, string>("texts", s => s.AllowOperation<AppendText>());

    public static StateDefinition<string, int?> Counts { get; } =
        StateDefinition.Create<string, int?>("counts", s => s.AllowOperation<Increment>());

    public TimeProvider Time { get; }

    public ManualTimeProvider Manual => (ManualTimeProvider)Time;

    public StateCatalog Catalog { get; }

    public PartitionHash Hash { get; }

    public ClusterTable Table => _table;

    /// <summary>The router of a process that owns no partition. It keeps the first table, so it learns of changes from
    /// redirects.</summary>
    public StateRouter Client { get; }

    public SimulatedNode this[int index] => _nodes[index];

    public IReadOnlyList<SimulatedNode> Nodes => _nodes;

    /// <summary>Called before each message between nodes. The caller of the message gets its exception.</summary>
    public Action<ClusterMember>? BeforeCall { get; set; }

    /// <summary>An operation that is sent to another node waits for this task.</summary>
    public Func<CancellationToken, Task>? HoldCall { get; set; }

    public int CallCount => _callCount;

    private int _callCount;

    public StateRouterOptions RouterOptions() => new() { Time = Time, Deadline = TimeSpan.FromSeconds(10) };

    /// <summary>Makes the successor of the table, checks that it is legal, and publishes it to all nodes.</summary>
    public void Change(Func<ClusterTable, ClusterTable> change)
    {
        lock (_lock)
        {
            var next = change(_table.StartSuccessor(Guid.NewGuid()));
            Assert.Null(PartitionTransitions.FindViolation(_table, next));
            _table = next;
        }

        foreach (var node in _nodes)
            node.View.Publish(_table);
    }

    public PartitionId PartitionOf<TValue>(StateDefinition<string, TValue> state, string key) =>
        Hash.PartitionOf(state.KeyOf(key, Hash).Hash);

    public SimulatedNode OwnerOf(PartitionId partition) =>
        _nodes.Single(n => n.Member.Slot == _table[partition].Primary);

    public SimulatedNode OtherThan(SimulatedNode node) => _nodes.First(other => other != node);

    /// <summary>A key of the state whose partition the node owns.</summary>
    public string KeyOn(SimulatedNode node, string prefix = "k") => Enumerable.Range(0, 10_000)
        .Select(number => $"{prefix}{number}")
        .First(key => OwnerOf(PartitionOf(Carts, key)) == node);

    /// <summary>Moves a partition as the runtime does: target, seal, send, join, take over, promote, drop.</summary>
    public async Task MoveAsync(PartitionId partition, SimulatedNode target)
    {
        var source = OwnerOf(partition);
        Change(t => t.WithPartition(partition, t[partition].Target(target.Member.Slot)));
        await source.Store.SealAsync(partition, CancellationToken.None);
        await source.Store.SendAsync(partition, target.Store, CancellationToken.None);
        Change(t => t.WithPartition(partition, t[partition].Join()));
        Change(t => t.WithPartition(partition, t[partition].TakeOver(target.Member.Slot)));
        target.Store.Promote(partition, _table[partition].Epoch);
        source.Store.Drop(partition);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var node in _nodes)
            await node.DisposeAsync();
    }

    private Peer PeerOf(ClusterMember member) => new Peer(this, member);

    /// <summary>Finds nodes by their identity.</summary>
    public sealed class Directory(SimulatedCluster cluster) : IStatePeerDirectory
    {
        public IStatePeer PeerOf(ClusterMember member) => cluster.PeerOf(member);
    }

    /// <summary>The connection to a node, which may fail.</summary>
    private sealed class Peer(SimulatedCluster cluster, ClusterMember member) : IStatePeer
    {
        public async ValueTask<StateReply> ExecuteAsync(StateRequest request, CancellationToken cancellationToken)
        {
            var store = Reach();
            if (cluster.HoldCall is { } hold)
                await hold(cancellationToken).ConfigureAwait(false);
            return await store.ExecuteAsync(request, cancellationToken).ConfigureAwait(false);
        }

        public ValueTask<HandoffReply> ImportAsync(HandoffChunk chunk, CancellationToken cancellationToken) =>
            Reach().ImportAsync(chunk, cancellationToken);

        public ValueTask<HandoffReply> AbortImportAsync(HandoffAbort abort, CancellationToken cancellationToken) =>
            Reach().AbortImportAsync(abort, cancellationToken);

        private NodeStateStore Reach()
        {
            Interlocked.Increment(ref cluster._callCount);
            cluster.BeforeCall?.Invoke(member);
            return cluster._nodes.Single(node => node.Member.Node == member.Node).Store;
        }
    }
}
