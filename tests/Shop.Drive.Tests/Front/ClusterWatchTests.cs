using Cluster.Contracts;
using Cluster.Nodes;
using Cluster.Testing;
using Shop.Drive.Front;
using Shop.Drive.Load;

namespace Shop.Drive.Tests.Front;

public sealed class ClusterWatchTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly FakeCluster _cluster = new();
    private readonly ManualTimeProvider _time = new();
    private readonly ClusterWatch _watch;

    public ClusterWatchTests() => _watch = new ClusterWatch(_cluster, _time);

    [Fact]
    public void PlaceOf_OwnedPartition_NamesOwnerAndLosses()
    {
        var node = _cluster.Add("n1");
        _cluster.Own(node, lossCount: 3);

        Assert.Equal(new SessionPlace(node, 3), _watch.PlaceOf("s"));
    }

    [Fact]
    public void PlaceOf_UnownedPartition_HasNoOwner() => Assert.Null(_watch.PlaceOf("s").Owner);

    [Fact]
    public void NoteEnd_NodeInTheTable_IsDeadAndOthersAreNot()
    {
        var former = NodeId.NewIncarnation("n1");
        var (present, other) = (_cluster.Add("n1"), _cluster.Add("n2"));
        var before = _time.GetTimestamp();
        Assert.False(_watch.HasDeathSince(before));

        _watch.NoteEnd("n1");

        Assert.True(_watch.IsDead(present));
        Assert.False(_watch.IsDead(former));
        Assert.False(_watch.IsDead(other));
        Assert.True(_watch.HasDeathSince(before));
    }

    /// <summary>The cluster may report a death before the operating system reports the end of the process.</summary>
    [Fact]
    public void NoteDeath_OfANode_IsADeathSinceThen_AndOnlyOnce()
    {
        var node = _cluster.Add("n1");
        var before = _time.GetTimestamp();
        Assert.False(_watch.HasDeathSince(before));

        _watch.NoteDeath(node);
        Assert.True(_watch.HasDeathSince(before));

        _time.Advance(TimeSpan.FromSeconds(1));
        _watch.NoteDeath(node);
        Assert.False(_watch.HasDeathSince(_time.GetTimestamp()));
    }

    [Fact]
    public void NotePause_IsAPauseSinceThen()
    {
        var before = _time.GetTimestamp();
        Assert.False(_watch.HasPauseSince(before));

        _watch.NotePause();

        Assert.True(_watch.HasPauseSince(before));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.False(_watch.HasPauseSince(_time.GetTimestamp()));
    }

    [Fact]
    public void IsSettled_UntilAnotherNodeOwnsThePartitionsOfADeadOne_IsFalse()
    {
        var (first, second) = (_cluster.Add("n1"), _cluster.Add("n2"));
        Assert.False(_watch.IsSettled());
        _cluster.Own(first);
        Assert.True(_watch.IsSettled());

        _watch.NoteEnd("n1");

        Assert.False(_watch.IsSettled());
        _cluster.Own(second);
        Assert.True(_watch.IsSettled());
    }

    [Fact]
    public async Task FollowAsync_ClusterFindsADeathBeforeTheProcessIsMissed_IsDead()
    {
        var node = NodeId.NewIncarnation("n1");
        using var stop = new CancellationTokenSource();
        var told = new List<string>();
        var ribbon = new EventRibbon(_watch, sentence =>
        {
            told.Add(sentence);
            return Task.CompletedTask;
        });
        var following = ribbon.FollowAsync(_cluster, stop.Token);

        _cluster.Tell(ClusterEventKind.NodeJoined, node);
        _cluster.Tell(ClusterEventKind.NodeDied, node);
        await Eventually.TrueAsync(() => _watch.IsDead(node) && ribbon.Events.Length == 2, Bound);
        await stop.CancelAsync();
        await following;

        Assert.StartsWith("n1 is dead", ribbon.Events[0], StringComparison.Ordinal);
        Assert.Equal(told.AsEnumerable().Reverse(), ribbon.Events);
    }
}
