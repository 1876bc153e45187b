using Cluster.Nodes.Stores;
using Cluster.Nodes.Tests.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Watching;

public sealed class ConfirmedTableTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly ScriptedStore _store = new(With(Member(0)));
    private readonly TableView _view = new(Node(0), Empty with { Version = 0 });

    [Fact]
    public async Task Read_NewerTable_IsPublished()
    {
        Assert.Same(_store.Table, await Create().ReadAsync(CancellationToken.None));
        Assert.Same(_store.Table, _view.Current);
    }

    [Fact]
    [Trait("Case", "repair-C6")]
    public async Task Read_StoreWentBackToAnOlderTable_PublishesNothingAndSaysSo()
    {
        var newer = _store.Table.StartSuccessor(Guid.NewGuid());
        _view.Publish(newer);
        var failure = await Assert.ThrowsAsync<ClusterStoreException>(
            async () => await Create().ReadAsync(CancellationToken.None));
        Assert.Equal(ClusterStoreError.Incompatible, failure.Kind);
        Assert.Contains("table 1, but this process has read table 2", failure.Message, StringComparison.Ordinal);
        Assert.Same(newer, _view.Current);
    }

    [Fact]
    public async Task ReadUntilAnswered_StoreAwayForAWhile_AsksAgain()
    {
        _store.ReadFailures = 2;
        var reading = Create().ReadUntilAnsweredAsync(CancellationToken.None);
        await Eventually.TrueAsync(
            () =>
            {
                _time.Advance(TimeSpan.FromMilliseconds(100));
                return reading.IsCompleted;
            },
            TimeSpan.FromMinutes(1));
        Assert.Same(_store.Table, await reading);
        Assert.Equal(3, _store.ReadCount);
    }

    private ConfirmedTable Create() => ConfirmedTables.Create(_store, _view, _time);
}
