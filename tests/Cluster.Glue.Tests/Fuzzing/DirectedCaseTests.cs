using Xunit.Abstractions;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Each rule by which Glue refuses input refuses a case of its own, and a new rule without one is
/// found.</summary>
[Trait("Case", "glue-70")]
[Trait("Case", "glue-71")]
[Trait("Case", "glue-72")]
public sealed class DirectedCaseTests(DirectedBench bench, ITestOutputHelper output) : IClassFixture<DirectedBench>
{
    [Fact]
    public async Task EveryRule_RefusesACaseOfItsOwn()
    {
        var broken = new HashSet<string>();
        var wrong = new List<string>();
        foreach (var one in DirectedCases.All)
        {
            var text = await one.Refusal(bench);
            var rule = RuleOf(text);
            if (rule is null || !text.StartsWith(one.Says, StringComparison.Ordinal))
                wrong.Add($"'{one.Says}' expected of {rule?.Name ?? "no rule"}, which said: {text}");
            broken.Add(rule?.Name ?? "");
            output.WriteLine($"{rule?.Name}: {text}");
        }

        IReadOnlyDictionary<string, string> excused = Excused();
        wrong.AddRange(WireRules.All.Select(rule => rule.Name).Except(broken).Except(excused.Keys)
            .Select(name => $"no case breaks {name}"));
        wrong.AddRange(excused.Keys.Intersect(broken).Select(name => $"excused, but broken: {name}"));
        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    [Fact]
    public void Rules_AreToldApartByTheirTexts() =>
        Assert.Empty(WireRules.All.GroupBy(rule => rule.Says.ToString()).Where(same => same.Count() > 1)
            .Select(same => string.Join(" and ", same.Select(rule => rule.Name))));

    [Fact]
    public void RulesOnTheList_Exist() =>
        Assert.Subset(WireRules.All.Select(rule => rule.Name).ToHashSet(), Excused().Keys.ToHashSet());

    // A refusal may be told inside of another one, behind its words.
    private static WireRule? RuleOf(string text)
    {
        for (var rest = text; ;)
        {
            if (WireRules.Find(rest) is { } rule)
                return rule;
            var colon = rest.IndexOf(": ", StringComparison.Ordinal);
            if (colon < 0)
                return null;
            rest = rest[(colon + 2)..];
        }
    }

    private static Dictionary<string, string> Excused([CallerFilePath] string path = "") =>
        File.ReadLines(Path.Combine(Path.GetDirectoryName(path)!, "rules-not-broken.txt"))
            .Where(static line => line.Length > 0 && line[0] != '#')
            .Select(static line => line.Split(" | "))
            .ToDictionary(static line => line[0], static line => line[1]);
}
