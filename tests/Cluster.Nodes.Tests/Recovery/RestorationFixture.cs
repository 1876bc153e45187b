using Cluster.Glue;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Recovery;
using Cluster.Nodes.Stores.Memory;
using Cluster.Nodes.Tests.Watching;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Cluster.Testing.Stores;
using static Cluster.Nodes.Tests.Recovery.Reports;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Recovery;

/// <summary>Node 0, which watches an in-memory store and restores it, with a clock that the test advances. Each other
/// node answers what the test says.</summary>
internal sealed class RestorationFixture : IAsyncDisposable
{
    private const string ClusterName = "test";

    private static readonly TimeSpan WaitBudget = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(250);

    private readonly ManualTimeProvider _time = new();
    private readonly GlueClient _client = new();
    private readonly InMemoryClusterHub _hub = new();
    private readonly InMemoryClusterStore _store;
    private readonly TableFollower _follower;
    private readonly IAsyncEnumerator<ClusterEvent> _events;
    private readonly ClusterMeta _meta =
        new(ClusterId, ClusterName, PartitionCount, 1, ClusterMeta.CurrentFormatVersion);

    private int _questions;

    public RestorationFixture(ClusterTable table)
    {
        First = table;
        View = new TableView(Node(0), Empty with { Version = 0 });
        View.Publish(table);
        foreach (var member in table.Members)
            Answers[member.Node] = Told(member, table.Version);
        _store = new InMemoryClusterStore(_hub, ClusterName, _time);
        var loops = new LoopContext(_time, new NodeIdentity(Node(0)), Logs.CreateLogger<LoopContext>());
        var journal = new EventJournal(ConfirmedTables.Metrics(View), Logs.CreateLogger<EventJournal>());
        var events = new EventBoard(journal);
        _events = events.WatchAsync(CancellationToken.None).GetAsyncEnumerator();
        Reachability = new StoreReachability(_store, events, View, _time, Logs.CreateLogger<StoreReachability>());
        var confirmed = ConfirmedTables.Create(_store, View, _time);
        _follower = new TableFollower(_store, confirmed, Reachability, loops);
        var settings = ClusterSettings.From(new ClusterOptions { ProofOfDeath = ProofOfDeath.StoreOnly });
        var detector = new FailureDetector(_store, new LivenessProbe(TimeProvider.System, _client), settings);
        var reports = new MemberReports(member => new Answer(this, member), detector, TimeProvider.System);
        Restoration = new StoreRestoration(_store, confirmed, Reachability, reports, loops);
    }

    public LogRecorder Logs { get; } = new();

    public TableView View { get; }

    public StoreReachability Reachability { get; }

    public StoreRestoration Restoration { get; }

    /// <summary>The table before the store is emptied.</summary>
    public ClusterTable First { get; }

    /// <summary>What each node reports; null: it does not answer.</summary>
    public ConcurrentDictionary<NodeId, TableReport?> Answers { get; } = new();

    /// <summary>Runs when a node is asked.</summary>
    public Action OnQuestion { get; set; } = static () => { };

    /// <summary>How often nodes were asked.</summary>
    public int Questions => Volatile.Read(ref _questions);

    public TimeSpan Elapsed => _time.Elapsed;

    /// <summary>What the store holds, as another process reads it; null: nothing.</summary>
    public ClusterTable? Stored => _hub.ClusterOf(ClusterName).Table;

    /// <summary>Empties the store, and starts the loops of the node.</summary>
    public async Task EmptyAsync()
    {
        await _store.CreateAsync(_meta, CancellationToken.None);
        _hub.Remove(ClusterName);
        _follower.Start();
        Restoration.Start(_meta);
    }

    /// <summary>Creates another cluster of the same name in the emptied store.</summary>
    public ClusterMeta CreateOther() =>
        _hub.ClusterOf(ClusterName).Create(StoreTables.NewMeta(ClusterName, PartitionCount));

    /// <summary>Fills the emptied store, as another node does.</summary>
    public void Restore() =>
        _hub.ClusterOf(ClusterName).TryRestore(_meta, RestoreDecision.Restore(First, Guid.NewGuid()));

    /// <summary>Ends the process of a node in a way that the store can prove.</summary>
    public void End(NodeId node)
    {
        Answers[node] = null;
        _hub.ClusterOf(ClusterName).TryRegister(node);
        _hub.ClusterOf(ClusterName).Withdraw(node);
    }

    /// <summary>Advances the clock step by step until a condition holds.</summary>
    public Task DriveUntilAsync(Func<bool> condition) => Eventually.TrueAsync(
        () =>
        {
            if (condition())
                return true;
            _time.Advance(Step);
            return false;
        },
        WaitBudget);

    /// <summary>Reads announcements until one of a kind.</summary>
    public async Task<ClusterEvent> NextEventAsync(ClusterEventKind kind)
    {
        while (await _events.MoveNextAsync().AsTask().WaitAsync(WaitBudget))
        {
            if (_events.Current.Kind == kind)
                return _events.Current;
        }

        throw new InvalidOperationException("The announcements have ended.");
    }

    public async ValueTask DisposeAsync()
    {
        await Restoration.DisposeAsync();
        await _follower.DisposeAsync();
        await _client.DisposeAsync();
        await _store.DisposeAsync();
        Logs.Dispose();
    }

    private sealed class Answer(RestorationFixture fixture, ClusterMember member) : ITableReports
    {
        public ValueTask<TableReport> GetAsync(CancellationToken cancellationToken)
        {
            Interlocked.Increment(ref fixture._questions);
            fixture.OnQuestion();
            return fixture.Answers[member.Node] is { } report ? new(report) : throw new GlueException(
                GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.ConnectFailed, "nobody answers");
        }
    }
}
