using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Nodes;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Nodes;

/// <summary>When a node begins planned moves. Times are in milliseconds.</summary>
[Trait("Case", "cluster-F17")]
public sealed class MoveWindowTests
{
    private static readonly ProtocolTimes Times = new();
    private static readonly PartitionEntry Entry = PartitionEntry.Unowned.AssignFirst(Slot(0), Slot(1));
    private readonly MoveWindow _window = new(Times);
    private ClusterTable _table = Table(2, Member(0), Member(1), Member(2));

    public MoveWindowTests()
    {
        Assert.True(IsOpen(0));
        Assert.False(IsOpen(100));
    }

    [Fact]
    public void Adopted_TableThatMakesAMovePossible_OpensForAMoment()
    {
        Adopt(Entry with { Next = Slot(1) }, 300);
        Assert.True(IsOpen(399));
        Assert.False(IsOpen(400));
    }

    [Fact]
    public void Adopted_NextMemberHasNoCopyYet_StaysShut()
    {
        Adopt(Entry with { Joining = Slot(2), Next = Slot(2) }, 300);
        Assert.False(IsOpen(301));
        Adopt((Entry with { Joining = Slot(2), Next = Slot(2) }).Join(), 400);
        Assert.True(IsOpen(401));
    }

    [Fact]
    public void Adopted_MoveThatWasPossibleBefore_StaysShut()
    {
        Adopt(Entry with { Next = Slot(1) }, 200);
        Adopt(Entry with { Next = Slot(1) }, 500);
        Assert.False(IsOpen(501));
    }

    [Fact]
    public void IsOpen_NoTableComes_OpensOnceInAWhile()
    {
        Assert.False(IsOpen(1_999));
        Assert.True(IsOpen(2_000));
        Assert.False(IsOpen(2_100));
        Assert.True(IsOpen(4_000));
    }

    private bool IsOpen(long milliseconds) => _window.IsOpen(milliseconds * TimeSpan.TicksPerMillisecond);

    private void Adopt(PartitionEntry entry, long milliseconds)
    {
        var table = _table.WithPartition(default, entry);
        _window.Adopted(_table, table, milliseconds * TimeSpan.TicksPerMillisecond);
        _table = table;
    }
}
