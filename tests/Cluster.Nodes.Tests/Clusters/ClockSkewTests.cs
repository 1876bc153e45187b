using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Xunit.Abstractions;
using static Cluster.Nodes.Tests.Clusters.ClusterFixture;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>Whether a node may join a cluster whose clock differs from its own.</summary>
[Trait("Case", "repair-C8")]
public sealed class ClockSkewTests(ITestOutputHelper output)
{
    private const int NodeDiffers = 5007;

    [Theory]
    [InlineData(45, "ahead")]
    [InlineData(-45, "behind")]
    public async Task Node_ClockBeyondTheLimit_DoesNotStartAndSaysWhatToDo(int seconds, string direction)
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        var first = await fixture.StartAsync("n1");
        await WaitUntilOwnedAsync([first], 1);
        fixture.Logs.Allow(entry => entry.Exception is ClusterStartException);
        var late = fixture.Create("n2").UseClock(Clock(-seconds));
        var refusal = await Assert.ThrowsAsync<ClusterStartException>(late.StartAsync);
        Assert.Equal(ClusterExitCode.ClockSkewed, refusal.ExitCode);
        foreach (var part in new[] { "n1", first.Table.Members[0].Address, direction, "00:00:30" })
            Assert.Contains(part, refusal.Message, StringComparison.Ordinal);
        Assert.Contains("Cluster:MaxClockSkew", refusal.Remedy, StringComparison.Ordinal);
        Assert.DoesNotContain(first.Table.Members, member => member.Node.Name == "n2");
    }

    [Fact]
    public async Task Node_ClockWithinTheLimit_Joins()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        var first = await fixture.StartAsync("n1");
        var near = await fixture.Create("n2").UseClock(Clock(20)).StartAsync();
        var far = await fixture.Create("n3", options => options.MaxClockSkew = TimeSpan.FromMinutes(10))
            .UseClock(Clock(-100)).StartAsync();
        await WaitUntilOwnedAsync([first, near, far], 3);
        Assert.Equal(3, first.Table.Members.Count(member => member.State == MemberState.Active));
    }

    [Fact]
    public async Task Node_OneOfThreeOthersDiffers_JoinsAndNamesIt()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        fixture.Logs.Allow(NodeDiffers);
        TestNode[] nodes =
        [
            await fixture.StartAsync("n1"),
            await fixture.StartAsync("n2"),
            await fixture.Create("odd", options => options.MaxClockSkew = TimeSpan.FromHours(1)).UseClock(Clock(600)).StartAsync(),
            await fixture.StartAsync("n3"),
        ];
        await WaitUntilOwnedAsync(nodes, 4);
        var told = Assert.Single(fixture.Logs.Entries, entry => entry.Event.Id == NodeDiffers);
        Assert.Contains("odd", told.Message, StringComparison.Ordinal);
    }

    private static ShiftedTimeProvider Clock(int seconds) =>
        new(TimeProvider.System) { Shift = TimeSpan.FromSeconds(seconds) };
}
