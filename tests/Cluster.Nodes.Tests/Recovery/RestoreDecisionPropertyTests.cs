using Cluster.Nodes.Recovery;
using Cluster.StateStore.Hosting.Tables;
using static Cluster.Nodes.Tests.Recovery.Reports;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Recovery;

/// <summary>Random clusters whose members have tables of different versions, and answer or not.</summary>
[Trait("Case", "cluster-emptied-store")]
public sealed class RestoreDecisionPropertyTests
{
    private const int CaseCount = 20_000;
    private const int MembersMax = 7;

    private static readonly MemberState[] States = Enum.GetValues<MemberState>();

    [Fact]
    public void Make_RandomReports_NeverWritesWithoutAMemberNorALowerVersionNorForAnotherCluster()
    {
        var writes = 0;
        for (var seed = 0; seed < CaseCount; seed++)
        {
            var random = new Random(seed);
            var table = RandomTable(random);
            var reports = table.Members.Select(member => RandomReport(random, member)).ToArray();
            var self = table.Members[random.Next(table.Members.Length)];
            var decision = RestoreDecision.Make(ClusterId, self.Node, table, reports);
            if (decision.Action != RestoreAction.Write)
                continue;
            writes++;
            Assert.True(self.State != MemberState.Gone, $"seed {seed}: a node that is gone writes");
            foreach (var member in table.Members.Where(one => one.State != MemberState.Gone && one != self))
            {
                var report = reports.Single(one => one.Node == member.Node);
                if (report.IsProvenDead)
                    continue;
                Assert.True(report.Report is not null, $"seed {seed}: {member.Node} is missing");
                Assert.True(report.Report.ClusterId == ClusterId, $"seed {seed}: {member.Node} is of another cluster");
                Assert.True(report.Report.FindsStoreEmptied, $"seed {seed}: {member.Node} still reads the store");
                Assert.True(
                    report.Report.TableVersion <= table.Version, $"seed {seed}: {member.Node} has a newer table");
            }
        }

        // Without this number, a decision that never writes would pass.
        Assert.InRange(writes, CaseCount / 100, CaseCount / 2);
    }

    [Fact]
    public void Make_AllMembersReport_LetsExactlyOneOfThoseWithTheNewestTableWrite()
    {
        for (var seed = 0; seed < CaseCount; seed++)
        {
            var random = new Random(seed);
            ClusterMember[] members = [.. Enumerable.Range(0, random.Next(1, MembersMax)).Select(slot => Member(slot))];
            var versions = members.Select(_ => (long)random.Next(10, 13)).ToArray();
            var reports = members.Zip(versions, Agrees).ToArray();
            var writers = members.Where((member, index) => RestoreDecision.Make(
                ClusterId, member.Node, With(members) with { Version = versions[index] },
                [.. reports.Where(report => report.Node != member.Node)]).Action == RestoreAction.Write).ToArray();
            Assert.True(writers.Length == 1, $"seed {seed}: {writers.Length} nodes write");
            var newest = Array.IndexOf(versions, versions.Max());
            Assert.True(writers[0] == members[newest], $"seed {seed}: {writers[0].Node} writes");
        }
    }

    private static ClusterTable RandomTable(Random random)
    {
        var members = Enumerable.Range(0, random.Next(1, MembersMax))
            .Select(slot => Member(slot, random.Next(3) > 0 ? MemberState.Active : States[random.Next(States.Length)]));
        return With([.. members]) with { Version = random.Next(10, 13) };
    }

    private static MemberReport RandomReport(Random random, ClusterMember member) => random.Next(12) switch
    {
        0 => Silent(member),
        1 => Dead(member),
        2 => new(member.Node, false, Told(member, random.Next(9, 13), findsStoreEmptied: false)),
        3 => new(member.Node, false, Told(member, random.Next(9, 13), clusterId: Guid.Empty)),
        _ => Agrees(member, random.Next(9, 13)),
    };
}
