using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Nodes;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Nodes;

public sealed class FarBeaconsTests
{
    private static readonly ProtocolTimes Times = new();
    private readonly FarBeacons _far = new(Times);

    [Fact]
    public void AreDue_NothingNew_AfterTheIntervalAlone()
    {
        Assert.True(AreDue(0));
        Assert.False(AreDue(Times.Report.Ticks - 1));
        Assert.True(AreDue(Times.Report.Ticks));
    }

    [Fact]
    public void AreDue_OtherSilentMembersOrAnotherCoordinator_AtOnce()
    {
        AreDue(0);
        Assert.True(AreDue(1, silent: Slot(7)));
        Assert.True(_far.AreDue(isCoordinator: false, Member(2).Node, [Slot(7)], 2));
        Assert.False(_far.AreDue(isCoordinator: false, Member(2).Node, [Slot(7)], 3));
    }

    [Fact]
    public void AreDue_NewCoordinator_TellsAllAtOnceAndIsNotHurriedBySilence()
    {
        AreDue(0);
        Assert.True(_far.AreDue(isCoordinator: true, null, [], 1));
        Assert.False(_far.AreDue(isCoordinator: true, null, [Slot(7)], 2));
    }

    private bool AreDue(long now, params NodeSlot[] silent) =>
        _far.AreDue(isCoordinator: false, Member(1).Node, [.. silent], now);
}
