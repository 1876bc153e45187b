using Cluster.Testing;
using Xunit.Sdk;

namespace Cluster.ConventionTests.TestKit;

/// <summary>What tests may rely on from bounded waits.</summary>
public sealed class EventuallyTests
{
    [Fact]
    public async Task True_WhenTheConditionComesTrueLater_Ends()
    {
        var asked = 0;
        await Eventually.TrueAsync(() => ++asked == 3, TimeSpan.FromSeconds(10));
        Assert.Equal(3, asked);
    }

    [Fact]
    public async Task True_WhenTheConditionStaysFalse_FailsAndNamesIt()
    {
        var never = false;
        var failure = await Assert.ThrowsAsync<XunitException>(
            () => Eventually.TrueAsync(() => never, TimeSpan.FromMilliseconds(20)));
        Assert.Contains("() => never", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Value_WhenTheProbeYields_ReturnsIt() =>
        Assert.Equal("found", await Eventually.ValueAsync(() => "found", TimeSpan.FromSeconds(1)));

    [Fact]
    public void FreePorts_TakenTogether_AreDifferent() => Assert.Equal(20, FreePorts.Take(20).Distinct().Count());
}
