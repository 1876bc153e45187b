namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Each rule that has a directed case refuses it, by itself and in its own words.</summary>
[Trait("Case", "slim-M")]
public sealed class DirectedCaseTests
{
    public static TheoryData<int, string> Cases
    {
        get
        {
            TheoryData<int, string> cases = [];
            foreach ((var index, var directed) in DirectedCases.All.Index())
                cases.Add(index, directed.Rule);
            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void DirectedCase_IsRefused_ByItsRule(int index, string rule)
    {
        var directed = DirectedCases.All[index];
        var error = Assert.ThrowsAny<SlimException>(directed.Act);
        Assert.True(error.Site is { } site && RefusalRules.NameOf(site) == rule, $"{error.Site}: {error}");
        Assert.Contains(directed.Says, error.Message, StringComparison.Ordinal);
    }
}
