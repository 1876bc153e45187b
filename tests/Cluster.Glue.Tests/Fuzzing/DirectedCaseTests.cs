using System.Runtime.CompilerServices;
using Xunit.Abstractions;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Each rule by which Glue refuses input refuses a case of its own, and a new rule without one is found.</summary>
[Trait("Case", "glue-70")]
[Trait("Case", "glue-71")]
[Trait("Case", "glue-72")]
public sealed class DirectedCaseTests(DirectedBench bench, ITestOutputHelper output) : IClassFixture<DirectedBench>
{
    [Fact]
    public async Task EveryRule_RefusesACaseOfItsOwn()
    {
        var broken = new HashSet<string>();
        foreach (DirectedCase one in DirectedCases.All)
        {
            string text = await one.Refusal(bench);
            Assert.StartsWith(one.Says, text, StringComparison.Ordinal);
            WireRule? rule = RuleOf(text);
            Assert.True(rule is not null, $"no rule says: {text}");
            broken.Add(rule.Name);
            output.WriteLine($"{rule.Name}: {text}");
        }

        IReadOnlyDictionary<string, string> excused = Excused();
        Assert.Empty(WireRules.All.Select(rule => rule.Name).Except(broken).Except(excused.Keys));
        Assert.Empty(excused.Keys.Intersect(broken));
    }

    [Fact]
    public void Rules_AreToldApartByTheirTexts()
        => Assert.Equal(
            WireRules.All.Count, WireRules.All.Select(rule => rule.Says.ToString()).Distinct(StringComparer.Ordinal).Count());

    [Fact]
    public void RulesOnTheList_Exist()
        => Assert.Subset(WireRules.All.Select(rule => rule.Name).ToHashSet(), Excused().Keys.ToHashSet());

    // A refusal may be told inside of another one, behind its words.
    private static WireRule? RuleOf(string text)
    {
        for (string rest = text; ;)
        {
            if (WireRules.Find(rest) is { } rule)
                return rule;
            int colon = rest.IndexOf(": ", StringComparison.Ordinal);
            if (colon < 0)
                return null;
            rest = rest[(colon + 2)..];
        }
    }

    private static Dictionary<string, string> Excused([CallerFilePath] string path = "")
        => File.ReadLines(Path.Combine(Path.GetDirectoryName(path)!, "rules-not-broken.txt"))
            .Where(static line => line.Length > 0 && line[0] != '#')
            .Select(static line => line.Split(" | "))
            .ToDictionary(static line => line[0], static line => line[1]);
}
