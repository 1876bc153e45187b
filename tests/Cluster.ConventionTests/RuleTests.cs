using Cluster.ConventionTests.Model;
using Xunit.Sdk;

namespace Cluster.ConventionTests;

/// <summary>Checks the repository with every rule, and every rule with its own counterexamples.</summary>
public sealed class RuleTests
{
    private const int ShownMax = 60;

    private static readonly IReadOnlyDictionary<string, IRule> Rules = typeof(IRule).Assembly.GetTypes()
        .Where(type => type.IsAssignableTo(typeof(IRule)) && type is { IsClass: true, IsAbstract: false })
        .Select(type => (IRule)Activator.CreateInstance(type)!)
        .ToDictionary(rule => rule.Name);

    public static TheoryData<string> RuleNames => [.. Rules.Keys.Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(RuleNames))]
    public void Repository_CheckedByRule_HasNoViolation(string rule)
    {
        var exceptions = ExceptionList.Read(RepositorySnapshot.Current);
        var violations = Rules[rule].Check(RepositorySnapshot.Current)
            .Where(violation => !exceptions.Covers(Rules[rule], violation))
            .ToArray();
        if (violations.Length > 0)
        {
            var shown = string.Join('\n', violations.Take(ShownMax).AsEnumerable());
            throw new XunitException($"{violations.Length} breaches of {rule}:\n{shown}");
        }
    }

    [Theory]
    [MemberData(nameof(RuleNames))]
    public void Rule_FedEachOfItsCounterexamples_Reports(string rule)
    {
        var counterexamples = Rules[rule].Counterexamples().ToArray();
        Assert.NotEmpty(counterexamples);
        Assert.All(counterexamples, counterexample => Assert.NotEmpty(Rules[rule].Check(counterexample)));
    }

    [Fact]
    public void Exceptions_AllOfThem_AreFewReasonedAndNeeded()
    {
        var exceptions = ExceptionList.Read(RepositorySnapshot.Current);
        Assert.True(exceptions.Entries.Count <= ExceptionList.EntryCountMax, "More exceptions need a decision record.");
        Assert.All(exceptions.Entries, entry =>
        {
            Assert.True(entry.Reason.Length >= 10, $"{entry.Rule} | {entry.Path}: no reason");
            Assert.True(Rules.ContainsKey(entry.Rule), $"{entry.Rule}: no such rule");
            Assert.True(
                Rules[entry.Rule].Check(RepositorySnapshot.Current).Any(violation => violation.Path == entry.Path),
                $"{entry.Rule} | {entry.Path}: no longer needed");
        });
    }

    [Fact]
    public void Snapshot_OfThisRepository_SeesTheCode()
    {
        // If no files were read, every rule would pass.
        Assert.True(RepositorySnapshot.Current.Production.Count() > 10);
        Assert.True(RepositorySnapshot.Current.Tests.Count() > 10);
        Assert.True(RepositorySnapshot.Current.Projects.Count > 15);
        Assert.Contains("Directory.Build.props", RepositorySnapshot.Current.Files.Keys);
        Assert.Contains(RepositorySnapshot.Current.Production, source => source.Types.Any());
    }
}
