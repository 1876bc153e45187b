using Cluster.Nodes.Coordination;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Coordination;

public sealed class SettledMembersTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public void Observe_MembersChange_StartsTheWaitAnew()
    {
        var settled = new SettledMembers(_time, TimeSpan.FromSeconds(1));
        Assert.False(settled.Observe(With(Member(0))));
        _time.Advance(TimeSpan.FromSeconds(0.9));
        Assert.False(settled.Observe(With(Member(0), Member(1, MemberState.Joining))));
        _time.Advance(TimeSpan.FromSeconds(0.9));
        Assert.False(settled.Observe(With(Member(0), Member(1))));
        _time.Advance(TimeSpan.FromSeconds(0.1));
        Assert.True(settled.Observe(With(Member(0), Member(1))));
    }
}
