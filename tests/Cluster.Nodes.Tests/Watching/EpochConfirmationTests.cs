using Cluster.Nodes.Configuration;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Tests.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Watching;

[Trait("Case", "repair-A3")]
public sealed class EpochConfirmationTests : IAsyncDisposable
{
    private const int NotConfirmed = 5090;

    private readonly ManualTimeProvider _time = new();
    private readonly LogRecorder _logs = new();
    private readonly ScriptedStore _store = new(Assigned(Member(0), Member(1)));
    private readonly TableView _view;
    private readonly EpochConfirmation _confirmation;

    public EpochConfirmationTests()
    {
        _view = new TableView(Node(0), _store.Table);
        _confirmation = new EpochConfirmation(
            ConfirmedTables.Create(_store, _view, _time),
            new LoopContext(_time, new NodeIdentity(Node(0)), _logs.CreateLogger<LoopContext>()));
        _confirmation.Start();
    }

    public async ValueTask DisposeAsync()
    {
        await _confirmation.DisposeAsync();
        _logs.Dispose();
    }

    [Fact]
    public async Task Hear_EpochThatTheStoreHolds_PublishesItsTable()
    {
        var target = _store.Table[default].Primary == Slot(0) ? Slot(1) : Slot(0);
        _store.Replace(Step(_store.Table, table => table.WithPartition(default, table[default].Target(target))));
        _store.Replace(Step(_store.Table, table => table.WithPartition(default, table[default].Join())));
        _confirmation.Hear(default, new Epoch(2));
        await Eventually.TrueAsync(() => _view.Current.Version == _store.Table.Version, TimeSpan.FromMinutes(1));
        Assert.Equal(1, _store.ReadCount);
    }

    [Fact]
    public async Task Hear_ManyForgedEpochs_ReadsTheStoreTwiceASecondAndTellsOnceAMinute()
    {
        _logs.Allow(NotConfirmed);
        for (var half = 1; half <= 10; half++)
        {
            for (var message = 0; message < 1_000; message++)
                _confirmation.Hear(default, new Epoch(1_000 + message));
            await Eventually.TrueAsync(() => _store.ReadCount >= half, TimeSpan.FromMinutes(1));
            await _time.WaitForTimersAsync();
            Assert.InRange(_store.ReadCount, half, half + 1);
            _time.Advance(TimeSpan.FromMilliseconds(500));
        }

        Assert.Equal(1, _view.Current.Version);
        Assert.Single(_logs.Entries, entry => entry.Event.Id == NotConfirmed);
    }

    [Fact]
    public async Task Hear_EpochThatTheTableHasAlready_ReadsNothing()
    {
        _confirmation.Hear(default, new Epoch(1));
        await _time.WaitForTimersAsync();
        Assert.Equal(0, _store.ReadCount);
    }
}
