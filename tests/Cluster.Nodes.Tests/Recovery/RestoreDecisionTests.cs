using Cluster.Nodes.Recovery;
using Cluster.StateStore.Hosting.Tables;
using static Cluster.Nodes.Tests.Recovery.Reports;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Recovery;

[Trait("Case", "cluster-emptied-store")]
public sealed class RestoreDecisionTests
{
    private const long Version = 40;

    private static readonly ClusterTable Table =
        With(Member(0), Member(1), Member(2)) with { Version = Version };

    [Fact]
    public void Make_AllMembersHaveTheSameTable_LetsTheSmallestSlotWrite()
    {
        Check(RestoreAction.Write, 0, Agrees(Member(1), Version), Agrees(Member(2), Version));
        Check(RestoreAction.LeaveToOther, 1, Agrees(Member(0), Version), Agrees(Member(2), Version));
        Check(RestoreAction.LeaveToOther, 2, Agrees(Member(0), Version), Agrees(Member(1), Version));
    }

    [Fact]
    public void Make_AnotherMemberHasANewerTable_LetsThatOneWrite()
    {
        Check(RestoreAction.LeaveToOther, 0, Agrees(Member(1), Version), Agrees(Member(2), Version + 1));
        Check(RestoreAction.Write, 2, Agrees(Member(0), Version - 1), Agrees(Member(1), Version - 1));
    }

    [Fact]
    public void Make_AMemberDoesNotAnswer_WritesNothingAndNamesIt()
    {
        CheckMissing([1], Silent(Member(1)), Agrees(Member(2), Version));
        CheckMissing([1, 2], Silent(Member(1)), Silent(Member(2)));
        CheckMissing([2], Agrees(Member(1), Version));
    }

    [Fact]
    public void Make_AMemberIsProvenDead_GoesOnWithoutIt()
    {
        Check(RestoreAction.Write, 0, Dead(Member(1)), Agrees(Member(2), Version));
        Check(RestoreAction.Write, 1, Dead(Member(0)), Agrees(Member(2), Version));
    }

    [Fact]
    public void Make_AMemberThatIsGone_IsNotAskedFor()
    {
        var table = Table.WithState(2, MemberState.Gone);
        var decision = RestoreDecision.Make(ClusterId, Node(0), table, [Agrees(Member(1), Version)]);
        Assert.Equal(RestoreAction.Write, decision.Action);
    }

    [Theory]
    [InlineData(MemberState.Joining)]
    [InlineData(MemberState.Draining)]
    public void Make_AMemberThatJoinsOrDrains_IsAskedFor(MemberState state)
    {
        var table = Table.WithState(2, state);
        var decision = RestoreDecision.Make(ClusterId, Node(0), table, [Agrees(Member(1), Version)]);
        Assert.Equal(Node(2), Assert.Single(decision.Missing));
    }

    [Fact]
    public void Make_AMemberStillReadsItsTableInTheStore_IsMissing() =>
        CheckMissing(
            [1], new(Node(1), false, Told(Member(1), Version, findsStoreEmptied: false)), Agrees(Member(2), Version));

    [Fact]
    public void Make_AnotherClusterOrIncarnationAnswers_IsMissing()
    {
        CheckMissing(
            [1], new(Node(1), false, Told(Member(1), Version, clusterId: Guid.NewGuid())), Agrees(Member(2), Version));
        CheckMissing([1], new(Node(1), false, Told(Member(7), Version)), Agrees(Member(2), Version));
    }

    [Fact]
    public void Make_TheNodeIsNoMember_NeverWrites()
    {
        Check(RestoreAction.LeaveToOther, 9, Agrees(Member(0), 1), Agrees(Member(1), 1), Agrees(Member(2), 1));
        var gone = Table.WithState(0, MemberState.Gone);
        var decision = RestoreDecision.Make(
            ClusterId, Node(0), gone, [Agrees(Member(1), 1), Agrees(Member(2), 1)]);
        Assert.Equal(RestoreAction.LeaveToOther, decision.Action);
    }

    [Fact]
    public void Restore_KeepsTheContentsAndTakesAVersionThatNobodyHasSeen()
    {
        var table = Assigned(Member(0), Member(1)) with { Version = Version };
        var nonce = Guid.NewGuid();
        var restored = RestoreDecision.Restore(table, nonce);
        Assert.Equal((Version + 2, nonce), (restored.Version, restored.ProposerNonce));
        Assert.Equal(table.Partitions.AsEnumerable(), restored.Partitions.AsEnumerable());
        Assert.Equal(table.Members.AsEnumerable(), restored.Members.AsEnumerable());
    }

    private static void Check(RestoreAction expected, int self, params MemberReport[] reports)
    {
        var decision = RestoreDecision.Make(ClusterId, Node(self), Table, reports);
        Assert.Equal(expected, decision.Action);
        Assert.Empty(decision.Missing);
    }

    private static void CheckMissing(int[] expected, params MemberReport[] reports)
    {
        var decision = RestoreDecision.Make(ClusterId, Node(0), Table, reports);
        Assert.Equal(RestoreAction.WaitForMembers, decision.Action);
        Assert.Equal(expected.Select(Node), decision.Missing);
    }
}
