using Xunit.Abstractions;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Acceptance case M and the figure M1: mutated messages are read or refused by a rule, and never more than
/// that. A failure names its seed and number and shows the message; <c>CLUSTER_FUZZ_SEED</c> and
/// <c>CLUSTER_FUZZ_MESSAGES</c> choose other runs.</summary>
[Trait("Case", "slim-M")]
public sealed class FuzzTests(ITestOutputHelper output)
{
    [Fact]
    public void Corpus_Unmutated_IsReadOrRefusedAsIntended()
    {
        foreach (var source in new FuzzCorpus().Cases)
        {
            var error = Record.Exception(() => source.NewReader()(source.Message));
            Assert.True(IsIntended(error, source.IsHostile), $"{source.Name}: {error}");
        }
    }

    [Fact]
    public void RefusedWrites_AreRefusedByARule()
    {
        foreach ((var name, var write) in RefusedWrites.All)
        {
            var error = Record.Exception(write);
            Assert.True(IsIntended(error, isRefused: true), $"{name}: {error}");
        }
    }

    [Fact]
    public void MutatedMessages_AFewSeconds_AreReadOrRefused_AndEveryRuleIsBroken() => Run(seed: 1, count: 4_000);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Fuzz")]
    [Trait("Case", "experience-M2")]
    public void MutatedMessages_TenMillion_AreReadOrRefused_AndEveryRuleIsBroken() => Run(
        seed: (ulong)Setting("CLUSTER_FUZZ_SEED", 7), count: Setting("CLUSTER_FUZZ_MESSAGES", 10_000_000));

    private void Run(ulong seed, long count)
    {
        var started = Stopwatch.GetTimestamp();
        (var tally, var failure) = new FuzzRun(seed, count).Run();
        output.WriteLine(tally.Report(Stopwatch.GetElapsedTime(started)));
        Assert.True(failure is null, failure);
        Assert.Equal(count, tally.Messages);
        Assert.InRange(tally.HeadersPassed, tally.Messages / 2, tally.Messages);
        Assert.Empty(tally.UncertainRules());
        Assert.Empty(tally.BrokenRulesOnTheList());
    }

    private static bool IsIntended(Exception? error, bool isRefused) =>
        isRefused ? error is SlimException { Site: not null } : error is null;

    private static long Setting(string name, long standard) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } text
            ? long.Parse(text, CultureInfo.InvariantCulture)
            : standard;
}
