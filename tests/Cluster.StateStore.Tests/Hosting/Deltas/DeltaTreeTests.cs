using Cluster.StateStore.Hosting.Deltas;
using Cluster.StateStore.Hosting.Tables;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Hosting.Deltas;

public sealed class DeltaTreeTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(100)]
    [InlineData(1_000)]
    public void FindSources_EachVersion_OneMemberReadsTheStoreAndNobodyIsAskedByMany(int memberCount)
    {
        var table = Table(1, [.. Enumerable.Range(0, memberCount).Select(slot => Member(slot))]);
        for (var version = 2L; version < 6; version++)
        {
            var sources = table.Members.ToDictionary(
                member => member.Node, member => Find(table, member.Node, version).FirstOrDefault()?.Node);
            Assert.Single(sources.Values, source => source is null);
            var asked = sources.Values.OfType<NodeId>().GroupBy(node => node).Select(group => group.Count());
            Assert.All(asked, count => Assert.InRange(count, 1, DeltaTree.FanOut));
            Assert.All(table.Members, member => Assert.InRange(DepthOf(member.Node, sources), 0, 5));
        }
    }

    [Fact]
    public void FindSources_NodesThatKnowDifferentMembers_NeverWaitForEachOther()
    {
        for (var seed = 0; seed < 50; seed++)
        {
            var random = new Random(seed);
            var all = Table(1, [.. Enumerable.Range(0, 40).Select(slot => Member(slot))]);
            var asks = all.Members.SelectMany(member => Find(Without(all, member, random), member.Node, 7)
                .Select(source => (From: member.Node, To: source.Node))).ToLookup(ask => ask.From, ask => ask.To);
            Assert.All(all.Members, member => CheckReachesNotItself(member.Node, asks));
        }
    }

    [Fact]
    public void FindSources_MembersThatFailedOrAreGone_AreNotAsked()
    {
        var table = Table(1, [Member(1), Member(2), Member(3, MemberState.Gone), Member(4, MemberState.Joining)]);
        var sources = DeltaTree.FindSources(table, null, 9, node => node == Member(1).Node);
        Assert.Equal([Member(2).Node], sources.Select(source => source.Node));
    }

    [Fact]
    public void FindSources_AnyProcess_AsksFewDifferentNodes()
    {
        var table = Table(1, [.. Enumerable.Range(0, 30).Select(slot => Member(slot))]);
        for (var version = 1L; version < 50; version++)
        {
            var sources = Find(table, Member(5).Node, version).ToArray();
            Assert.InRange(sources.Length, 0, DeltaTree.MaxSources);
            Assert.Equal(sources.Length, sources.Distinct().Count());
        }
    }

    private static IEnumerable<ClusterMember> Find(ClusterTable table, NodeId self, long version) =>
        DeltaTree.FindSources(table, self, version, static _ => false);

    private static ClusterTable Without(ClusterTable table, ClusterMember self, Random random) => table with
    {
        Members = [.. table.Members.Where(member => member == self || random.Next(3) > 0)],
    };

    private static int DepthOf(NodeId node, Dictionary<NodeId, NodeId?> sources)
    {
        var depth = 0;
        for (var next = sources[node]; next is { } source; next = sources[source])
            depth++;
        return depth;
    }

    private static void CheckReachesNotItself(NodeId start, ILookup<NodeId, NodeId> asks)
    {
        var seen = new HashSet<NodeId>();
        var open = new Queue<NodeId>(asks[start]);
        while (open.TryDequeue(out var node))
        {
            Assert.NotEqual(start, node);
            if (seen.Add(node))
            {
                foreach (var next in asks[node])
                    open.Enqueue(next);
            }
        }
    }
}
