using Cluster.Nodes.Recovery;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using static Cluster.Nodes.Tests.Recovery.Reports;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Recovery;

/// <summary>Node 0 of three finds its store emptied. The answers of the other nodes are scripted.</summary>
[Trait("Case", "cluster-emptied-store")]
public sealed class StoreRestorationTests : IAsyncDisposable
{
    private const int LoopFailed = 5020;
    private const int StoreUnusable = 5032;
    private const int MembersMissing = 5110;
    private const int Restored = 5111;
    private const int ManyQuestions = 20;

    private readonly RestorationFixture _node = new(Assigned(Member(0), Member(1), Member(2)) with { Version = 40 });

    public StoreRestorationTests() => _node.Logs.Allow(StoreUnusable, Restored);

    public ValueTask DisposeAsync() => _node.DisposeAsync();

    [Fact]
    public async Task Store_Emptied_IsWrittenAgainWithTheSameEntriesAndToldOnce()
    {
        await _node.EmptyAsync();
        await _node.DriveUntilAsync(() => _node.Stored is not null);
        var table = _node.Stored!;
        Assert.Equal(_node.First.Partitions.AsEnumerable(), table.Partitions.AsEnumerable());
        Assert.Equal(_node.First.Members.AsEnumerable(), table.Members.AsEnumerable());
        Assert.Equal(_node.First.Version + RestoreDecision.VersionStep, table.Version);
        Assert.Equal(table.Version, (await _node.NextEventAsync(ClusterEventKind.StoreRestored)).TableVersion);
        await _node.DriveUntilAsync(() => _node.Reachability.EmptiedFor is null);
        await _node.NextEventAsync(ClusterEventKind.StoreReachable);
        Assert.Same(table, _node.View.Current);
        Assert.Single(_node.Logs.Entries, entry => entry.Event.Id == Restored);

        // The trouble is told once, and not by each loop that meets it.
        Assert.Single(_node.Logs.Entries, entry => entry.Event.Id == StoreUnusable);
        Assert.DoesNotContain(_node.Logs.Entries, entry => entry.Event.Id == LoopFailed);
    }

    [Fact]
    public async Task Store_EmptyForAMoment_AsksNobody()
    {
        await _node.EmptyAsync();
        await _node.DriveUntilAsync(() => _node.Reachability.EmptiedFor >= StoreRestoration.Patience / 2);
        Assert.Equal(0, _node.Questions);
    }

    [Fact]
    public async Task Member_Missing_NothingIsWrittenUntilItAnswers()
    {
        _node.Logs.Allow(MembersMissing);
        _node.Answers[Node(2)] = null;
        await _node.EmptyAsync();
        await _node.DriveUntilAsync(() => _node.Restoration.Obstacle is not null);
        Assert.Contains("n2", _node.Restoration.Obstacle, StringComparison.Ordinal);
        Assert.DoesNotContain("n1", _node.Restoration.Obstacle, StringComparison.Ordinal);
        var toldAt = _node.Elapsed;
        await _node.DriveUntilAsync(() => CountMissing() == 2 && _node.Questions > ManyQuestions);
        Assert.True(_node.Elapsed - toldAt >= 0.9 * StoreReachability.ReminderInterval);
        Assert.Null(_node.Stored);

        _node.Answers[Node(2)] = Told(Member(2), _node.First.Version);
        await _node.DriveUntilAsync(() => _node.Stored is not null);
        await _node.DriveUntilAsync(() => _node.Restoration.Obstacle is null);
    }

    [Fact]
    public async Task Member_ProvenDead_IsNotWaitedFor()
    {
        await _node.EmptyAsync();
        _node.End(Node(2));
        await _node.DriveUntilAsync(() => _node.Stored is not null);
        Assert.Equal(0, CountMissing());
    }

    [Fact]
    public async Task Member_WithANewerTable_IsLeftToWrite()
    {
        _node.Answers[Node(2)] = Told(Member(2), _node.First.Version + 1);
        await _node.EmptyAsync();
        await _node.DriveUntilAsync(() => _node.Questions > ManyQuestions);
        Assert.Null(_node.Stored);
    }

    [Fact]
    public async Task AnotherCluster_CreatedWhileMembersAreAsked_IsNeverOverwritten()
    {
        var other = new Lazy<ClusterMeta>(_node.CreateOther);
        _node.OnQuestion = () => _ = other.Value;
        await _node.EmptyAsync();
        await _node.DriveUntilAsync(
            () => _node.Reachability.Trouble?.Contains("created a cluster", StringComparison.Ordinal) is true);
        Assert.True(other.IsValueCreated);
        Assert.Equal(1, _node.Stored!.Version);
        Assert.Same(_node.First, _node.View.Current);
    }

    /// <summary>A node that is late asks members that see the restored store already.</summary>
    [Fact]
    public async Task Members_ThatFindTheStoreFilled_AreNotToldAsMissing()
    {
        _node.OnQuestion = () =>
        {
            foreach (var member in _node.First.Members)
                _node.Answers[member.Node] = Told(member, _node.First.Version + 2, findsStoreEmptied: false);
            _node.Restore();
        };
        await _node.EmptyAsync();
        await _node.DriveUntilAsync(() => _node.View.Current.Version > _node.First.Version);
        Assert.Equal(0, CountMissing());
        Assert.Null(_node.Restoration.Obstacle);
    }

    private int CountMissing() => _node.Logs.Entries.Count(entry => entry.Event.Id == MembersMissing);
}
