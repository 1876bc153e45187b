using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Litmus;

/// <summary>
/// Acceptance case 12 of the pile: reads are right whatever comes in between, and the same test fails as soon as one of
/// the checks is left out. Case 11 with changes at named points, exactly repeated.
/// </summary>
[Trait("Case", "pile-12")]
public sealed class LitmusTests(ITestOutputHelper output)
{
    [Fact]
    [Trait("Case", "pile-11")]
    public void Read_WithAnyChangeBeforeAnyAccess_IsRight()
        => Assert.Empty(Run(LitmusCheck.None, pairs: false));

    [Fact]
    [Trait("Case", "pile-11")]
    [Trait("Category", "Soak")]
    public void Read_WithAnyTwoChangesBeforeAnyAccess_IsRight()
        => Assert.Empty(Run(LitmusCheck.None, pairs: true));

    [Theory]
    [InlineData(LitmusCheck.HeaderReload)]
    [InlineData(LitmusCheck.EntryReload)]
    [InlineData(LitmusCheck.WrapCount)]
    [InlineData(LitmusCheck.Incarnation)]
    [InlineData(LitmusCheck.Generation)]
    [InlineData(LitmusCheck.HighWater)]
    internal void Check_LeftOut_IsNoticed(LitmusCheck check)
        => Assert.NotEmpty(Run(check, pairs: false));

    private string[] Run(LitmusCheck check, bool pairs)
    {
        using var woven = new WovenPile();
        var report = woven.Run(nameof(LitmusScenarios.Reads), check, pairs);
        output.WriteLine(check == LitmusCheck.None ? report[0] : $"Without {check}, after {report[0]}:");
        foreach (var line in report[1..])
            output.WriteLine(line);
        return report[1..];
    }
}
