using Cluster.Nodes.Deltas;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Tests.Stores;
using Cluster.Nodes.Tests.Watching;
using Cluster.StateStore.Hosting.Deltas;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Cluster.Testing.Stores;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Deltas;

/// <summary>A process takes changes of the table from other nodes only as far as the store confirms them.</summary>
public sealed class DeltaReadingTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly ClusterTable _first = Large(5);
    private readonly ScriptedStore _store;
    private readonly TableView _view;
    private readonly TableView _peerView;
    private readonly RecentTables _peer;
    private readonly List<NodeId> _asked = [];

    public DeltaReadingTests()
    {
        _store = new ScriptedStore(_first) { Stamp = StampOf };
        _view = new TableView(null, _first);
        _peerView = new TableView(null, _first);
        _peer = ConfirmedTables.Tables(_peerView);
    }

    [Fact]
    public async Task Follow_PeerKnowsTheChange_ReadsNoWholeTable()
    {
        var next = Change(_first);
        _store.Replace(next);
        _peer.Publish(next);
        await FollowAsync(Create());
        Assert.Equal(ClusterTableCodec.Encode(next), ClusterTableCodec.Encode(_view.Current));
        Assert.Equal(0, _store.ReadCount);
        Assert.Single(_asked);
    }

    /// <summary>A node of an older version has no packed deltas.</summary>
    [Theory]
    [InlineData(false, 1, 0)]
    [InlineData(true, 0, 1)]
    public async Task Follow_PeerSpeaksTheNewestVersion_AsksForAPackedDelta(bool isNewest, int plain, int packed)
    {
        var known = Change(_first with
        {
            Members = [.. _first.Members.Select(member => isNewest ? StoreTables.Newest(member) : member)],
        });
        _view.Publish(known);
        _peer.Publish(known);
        var next = Change(known);
        _store.Replace(next);
        _peer.Publish(next);
        var deltas = new CountedDeltas(new TableDeltasService(_peer, _time));

        await FollowAsync(Create(_ => deltas));

        Assert.Equal(ClusterTableCodec.Encode(next), ClusterTableCodec.Encode(_view.Current));
        Assert.Equal(0, _store.ReadCount);
        Assert.Equal((plain, packed), (deltas.PlainCount, deltas.PackedCount));
    }

    [Fact]
    public async Task Follow_SmallCluster_ReadsTheWholeTable()
    {
        var known = Change(With(Member(0), Member(1), Member(2)));
        _view.Publish(known);
        _store.Replace(Change(known));
        _peer.Publish(_store.Table);
        await FollowAsync(Create());
        Assert.Same(_store.Table, _view.Current);
        Assert.Empty(_asked);
    }

    [Fact]
    public async Task GetPacked_NothingToTell_IsEmpty()
    {
        var service = new TableDeltasService(_peer, _time);
        Assert.Empty(await service.GetPackedAsync(_first.Version - 1, _first.Version, CancellationToken.None));
    }

    [Fact]
    public async Task Read_StoreShowsTheKnownTable_ReadsNothingElse()
    {
        Assert.Same(_first, await Create().ReadAsync(CancellationToken.None));
        Assert.Equal(0, _store.ReadCount);
        Assert.Empty(_asked);
    }

    [Fact]
    public async Task Follow_StoreShowsNoDigest_ReadsTheWholeTable()
    {
        _store.Stamp = null;
        _store.Replace(Change(_first));
        _peer.Publish(_store.Table);
        await FollowAsync(Create());
        Assert.Same(_store.Table, _view.Current);
        Assert.Empty(_asked);
    }

    [Fact]
    public async Task Follow_PeerTellsAnotherTableThanTheStore_ReadsTheWholeTable()
    {
        _store.Replace(Change(_first));
        _peer.Publish(Change(_first));
        await FollowAsync(Create());
        Assert.Same(_store.Table, _view.Current);
        Assert.Equal(1, _store.ReadCount);
    }

    [Fact]
    public async Task Follow_PeerKnowsALaterTable_TakesItWhenTheStoreShowsItToo()
    {
        var next = Change(_first);
        _peer.Publish(next);
        var later = next;
        for (var step = 0; step < TableHistory.MaxTables + 1; step++)
        {
            later = Change(later);
            _peer.Publish(later);
        }

        // The store is asked twice: the table changes between the two questions.
        var stamps = new Queue<TableStamp>([StampOf(next), StampOf(later)]);
        _store.Stamp = _ => stamps.Dequeue();
        _store.Replace(next);
        await FollowAsync(Create());
        Assert.Equal(later.Version, _view.Current.Version);
        Assert.Equal(0, _store.ReadCount);
    }

    [Fact]
    public async Task Follow_NobodyAnswers_ReadsTheWholeTableAndAvoidsThoseNodes()
    {
        _store.Replace(Change(_first));
        var table = Create(_ => throw new GlueException(
            GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.ConnectFailed, "gone"));
        await FollowAsync(table);
        Assert.Same(_store.Table, _view.Current);
        var failed = _asked.ToArray();
        Assert.Equal(DeltaTree.MaxSources, failed.Length);
        _store.Replace(Change(_store.Table));
        await FollowAsync(table);
        Assert.Empty(failed.Intersect(_asked.Skip(failed.Length)));
    }

    /// <summary>A node that is cut off does not answer at all.</summary>
    [Theory]
    [InlineData(5)]
    [InlineData(100)]
    public async Task Follow_PeersKeepSilent_ReadsTheWholeTableSoon(int members)
    {
        var patience = TimeSpan.FromSeconds(0.25);
        var known = Change(Large(members));
        _view.Publish(known);
        _store.Replace(Change(known));
        var following = FollowAsync(Create(_ => new SilentDeltas()));
        for (var source = 1; source <= DeltaTree.MaxSources; source++)
        {
            await Eventually.TrueAsync(() => _asked.Count == source, TimeSpan.FromMinutes(1));
            _time.Advance(patience);
        }

        await following.WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Same(_store.Table, _view.Current);
    }

    [Fact]
    public async Task Follow_AnswerOfAnotherCluster_IsRefused()
    {
        var next = Change(_first);
        _store.Replace(next);
        _peer.Publish(next);
        _peer.ClusterId = Guid.NewGuid();
        await FollowAsync(Create());
        Assert.Same(next, _view.Current);
        Assert.Equal(1, _store.ReadCount);
    }

    [Fact]
    public async Task Get_VersionThatComesSoon_IsWaitedFor()
    {
        var next = Change(_first);
        var service = new TableDeltasService(_peer, _time);
        var asking = service.GetAsync(_first.Version, next.Version, CancellationToken.None).AsTask();
        Assert.False(asking.IsCompleted);
        _peer.Publish(next);
        Assert.NotEmpty(await asking.WaitAsync(TimeSpan.FromMinutes(1)));
    }

    [Fact]
    public async Task Get_VersionThatDoesNotCome_IsAnsweredInTime()
    {
        var service = new TableDeltasService(_peer, _time);
        var asking = service.GetAsync(_first.Version, _first.Version + 1, CancellationToken.None).AsTask();
        await _time.WaitForTimersAsync();
        _time.Advance(TableDeltasService.WaitMax);
        Assert.Empty(await asking.WaitAsync(TimeSpan.FromMinutes(1)));
    }

    private async Task FollowAsync(Cluster.Nodes.Watching.ConfirmedTable table) => await table.FollowAsync(
        await _store.ReadStampAsync(TableConsistency.Stale, CancellationToken.None), CancellationToken.None);

    // A cluster whose nodes tell each other the changes.
    private static ClusterTable Large(int members) => ClusterTable.CreateEmpty(8_192) with
    {
        Members = [.. Enumerable.Range(0, members).Select(number => Member(number))],
    };

    private static TableStamp StampOf(ClusterTable table) => new(table.Version, ClusterTableCodec.Digest(table));

    private static ClusterTable Change(ClusterTable table) => table.StartSuccessor(Guid.NewGuid())
        .WithPartition(new PartitionId((int)table.Version), PartitionEntry.Unowned.AssignFirst(Slot(1)));

    private Cluster.Nodes.Watching.ConfirmedTable Create(Func<ClusterMember, ITableDeltas>? deltasOf = null) =>
        ConfirmedTables.Create(_store, _view, _time, member =>
        {
            _asked.Add(member.Node);
            return deltasOf?.Invoke(member) ?? new TableDeltasService(_peer, _time);
        });

    private sealed class SilentDeltas : ITableDeltas
    {
        public async ValueTask<byte[]> GetAsync(long fromVersion, long toVersion, CancellationToken cancellationToken)
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);
            return [];
        }

        public ValueTask<byte[]> GetPackedAsync(long fromVersion, long toVersion, CancellationToken cancellationToken) =>
            GetAsync(fromVersion, toVersion, cancellationToken);
    }

    private sealed class CountedDeltas(ITableDeltas deltas) : ITableDeltas
    {
        public int PlainCount { get; private set; }

        public int PackedCount { get; private set; }

        public ValueTask<byte[]> GetAsync(long fromVersion, long toVersion, CancellationToken cancellationToken)
        {
            PlainCount++;
            return deltas.GetAsync(fromVersion, toVersion, cancellationToken);
        }

        public ValueTask<byte[]> GetPackedAsync(long fromVersion, long toVersion, CancellationToken cancellationToken)
        {
            PackedCount++;
            return deltas.GetPackedAsync(fromVersion, toVersion, cancellationToken);
        }
    }
}
