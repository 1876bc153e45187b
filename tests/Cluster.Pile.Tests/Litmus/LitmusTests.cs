using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Litmus;

/// <summary>Acceptance case 12 of the pile: reads are right whatever comes in between, and the same test fails as soon
/// as one of the checks is left out. Case 11 with changes at named points, exactly repeated.</summary>
[Trait("Case", "pile-12")]
public sealed class LitmusTests(ITestOutputHelper output)
{
    private const long RacesShort = 100_000;
    private const long RacesLong = 10_000_000;
    private const int Readers = 2;

    [Fact]
    [Trait("Case", "pile-11")]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public void Read_WithAnyChangeBeforeAnyAccess_IsRight() =>
        Assert.Empty(Run(LitmusCheck.None, pairs: false));

    [Fact]
    [Trait("Case", "pile-11")]
    [Trait("Category", "Soak")]
    public void Read_WithAnyTwoChangesBeforeAnyAccess_IsRight() =>
        Assert.Empty(Run(LitmusCheck.None, pairs: true));

    /// <summary>Each with the change first that needs the check: it would come after thousands of others.</summary>
    [Theory]
    [InlineData(LitmusCheck.HeaderReload, "update")]
    [InlineData(LitmusCheck.EntryReload, "4096 updates")]
    [InlineData(LitmusCheck.WrapCount, "4096 updates")]
    [InlineData(LitmusCheck.Incarnation, "purge, change class twice")]
    [InlineData(LitmusCheck.Generation, "delete and reuse")]
    [InlineData(LitmusCheck.HighWater, "purge, change class twice")]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    internal void Check_LeftOut_IsNoticed(LitmusCheck check, string first) =>
        Assert.NotEmpty(Run(check, pairs: false, first));

    [Fact]
    [Trait("Case", "pile-11")]
    public void Races_WithPausesBeforeAnyAccess_AreRight() => Assert.Empty(Race(LitmusCheck.None, RacesShort));

    [Fact]
    [Trait("Case", "pile-11")]
    [Trait("Category", "Soak")]
    public void ManyRaces_WithPausesBeforeAnyAccess_AreRight() => Assert.Empty(Race(LitmusCheck.None, RacesLong));

    /// <summary>The races notice it, too, and not only the exact repetition.</summary>
    [Fact]
    public void Races_WithoutHeaderReload_AreNoticed() =>
        Assert.NotEmpty(Race(LitmusCheck.HeaderReload, RacesLong));

    /// <summary>Processors of this kind keep loads in order, so that only the compiler could break this one.</summary>
    [Fact]
    public void Barrier_LeftOut_IsNoticedOrInconclusive()
    {
        var problems = Race(LitmusCheck.ReadBarrier, RacesShort);
        output.WriteLine(problems.Length == 0 ? "inconclusive: no read went wrong here" : "noticed");
    }

    private string[] Race(LitmusCheck check, long races)
    {
        using var woven = new WovenPile();
        var report = woven.Run(nameof(LitmusScenarios.Races), check, races, Readers);
        output.WriteLine($"{check}: {string.Join("; ", report)}");
        return report[1..];
    }

    private string[] Run(LitmusCheck check, bool pairs, string first = "")
    {
        using var woven = new WovenPile();
        var report = woven.Run(nameof(LitmusScenarios.Reads), check, pairs, first);
        output.WriteLine(check == LitmusCheck.None ? report[0] : $"Without {check}, after {report[0]}:");
        foreach (var line in report[1..])
            output.WriteLine(line);
        return report[1..];
    }
}
