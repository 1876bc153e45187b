using Cluster.Nodes.Configuration;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Tests.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Watching;

/// <summary>How a process gets newer tables, also where the store does not answer the question for a change.</summary>
public sealed class TableFollowerTests : IAsyncDisposable
{
    private static readonly TimeSpan WaitBudget = TimeSpan.FromMinutes(1);

    private readonly ManualTimeProvider _time = new();
    private readonly LogRecorder _logs = new();
    private readonly ScriptedStore _store = new(Assigned(Member(0), Member(1)));
    private readonly TableView _view;
    private readonly ConfirmedTable _table;
    private readonly TableFollower _follower;

    public TableFollowerTests()
    {
        _view = new TableView(Node(0), _store.Table);
        _table = ConfirmedTables.Create(_store, _view, _time);
        var loops = new LoopContext(_time, new NodeIdentity(Node(0)), _logs.CreateLogger<LoopContext>());
        var events = new EventBoard(
            new EventJournal(ConfirmedTables.Metrics(_view), _logs.CreateLogger<EventJournal>()));
        var reachability = new StoreReachability(
            _store, events, _view, _time, _logs.CreateLogger<StoreReachability>());
        _follower = new TableFollower(_store, _table, reachability, loops);
    }

    private bool IsNewest => _view.Current.Version == _store.Table.Version;

    public async ValueTask DisposeAsync()
    {
        await _follower.DisposeAsync();
        _logs.Dispose();
    }

    [Fact]
    public async Task Poll_ThatEnds_PublishesTheNewTable()
    {
        ReplaceTable();
        _store.Poll = Task.CompletedTask;
        _follower.Start();
        await Eventually.TrueAsync(() => IsNewest, WaitBudget);
    }

    [Theory]
    [Trait("Case", "cluster-F6")]
    [InlineData(PartitionCount, 250)]
    [InlineData(8_192, 1_000)]
    public async Task Poll_ThatHangs_IsReplacedSoonAfterAnotherNodeToldOfANewerTable(int partitions, int milliseconds)
    {
        var known = ClusterTable.CreateEmpty(partitions) with { Version = 2, Members = [Member(0), Member(1)] };
        _store.Replace(known);
        _view.Publish(known);
        _follower.Start();
        await Eventually.TrueAsync(() => _store.PollCount == 1, WaitBudget);
        ReplaceTable();
        _table.Hear(_store.Table.Version);
        await _time.WaitForTimersAsync();
        _time.Advance(TimeSpan.FromMilliseconds(milliseconds - 50));
        Assert.Equal((false, 0), (IsNewest, _store.ReadCount));
        _time.Advance(TimeSpan.FromMilliseconds(100));
        await Eventually.TrueAsync(() => IsNewest, WaitBudget);
        await _time.WaitForTimersAsync();
        _time.Advance(TimeSpan.FromSeconds(1));
        await Eventually.TrueAsync(() => _store.PollCount == 2, WaitBudget);
    }

    [Fact]
    public async Task Hear_VersionThatTheStoreDoesNotHold_ReadsTheStoreOnceASecond()
    {
        _follower.Start();
        for (var second = 1; second <= 10; second++)
        {
            await Eventually.TrueAsync(() => _store.PollCount == second, WaitBudget);
            _table.Hear(1_000);
            await _time.WaitForTimersAsync();
            _time.Advance(TimeSpan.FromSeconds(1));
            await Eventually.TrueAsync(() => _store.ReadCount == second, WaitBudget);
            await _time.WaitForTimersAsync();
            _time.Advance(TimeSpan.FromMilliseconds(100));
        }

        Assert.Equal(1, _view.Current.Version);
    }

    [Fact]
    public async Task Hear_VersionThatIsKnown_ReplacesNoPoll()
    {
        _follower.Start();
        await Eventually.TrueAsync(() => _store.PollCount == 1, WaitBudget);
        _table.Hear(_view.Current.Version);
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal((1, 0), (_store.PollCount, _store.ReadCount));
    }

    private void ReplaceTable() => _store.Replace(_store.Table.StartSuccessor(Guid.NewGuid()));
}
