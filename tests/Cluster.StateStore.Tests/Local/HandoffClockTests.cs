namespace Cluster.StateStore.Tests.Local;

/// <summary>Partitions that move between nodes whose clocks differ: the rest of a time to live moves with
/// them.</summary>
[Trait("Case", "repair-C8")]
public sealed class HandoffClockTests
{
    [Theory]
    [InlineData(3_600)]
    [InlineData(-3_600)]
    [InlineData(0)]
    public async Task Move_ToANodeWithAnotherClock_KeepsWhatIsLeft(int secondsAhead)
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var source = cluster.OwnerOf(default);
        var target = cluster.OtherThan(source);
        target.Clock.Shift = TimeSpan.FromSeconds(secondsAhead);
        await source.Carts.PutAsync("after", new Cart(), StateExpiry.After(TimeSpan.FromMinutes(10)));
        await source.Carts.PutAsync("at", new Cart(), StateExpiry.At(cluster.Time.GetUtcNow() + TimeSpan.FromMinutes(20)));
        await source.Carts.PutAsync("never", new Cart());
        cluster.Manual.Advance(TimeSpan.FromMinutes(4));
        await cluster.MoveAsync(default, target);
        target.Store.Sweeper.SweepOnce();
        await CheckAsync(target, "after", "at", "never");
        cluster.Manual.Advance(TimeSpan.FromMinutes(6) - TimeSpan.FromTicks(1));
        await CheckAsync(target, "after", "at", "never");
        cluster.Manual.Advance(TimeSpan.FromTicks(1));
        await CheckAsync(target, "at", "never");
        cluster.Manual.Advance(TimeSpan.FromMinutes(10));
        target.Store.Sweeper.SweepOnce();
        await CheckAsync(target, "never");
    }

    [Fact]
    public async Task Move_ThereAndBack_KeepsWhatIsLeft()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var source = cluster.OwnerOf(default);
        var target = cluster.OtherThan(source);
        target.Clock.Shift = TimeSpan.FromSeconds(40);
        await source.Carts.PutAsync("a", new Cart(), StateExpiry.After(TimeSpan.FromMinutes(1)));
        for (var move = 0; move < 4; move++)
        {
            cluster.Manual.Advance(TimeSpan.FromSeconds(10));
            await cluster.MoveAsync(default, move % 2 == 0 ? target : source);
            Assert.NotNull(await source.Carts.GetAsync("a"));
        }

        cluster.Manual.Advance(TimeSpan.FromSeconds(20));
        Assert.Null(await source.Carts.GetAsync("a"));
    }

    [Fact]
    public async Task Move_ToANodeWhoseClockIsBehind_DoesNotTurnBackTheTimeOfOperations()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 1);
        var source = cluster.OwnerOf(default);
        var target = cluster.OtherThan(source);
        target.Clock.Shift = TimeSpan.FromSeconds(-30);
        await source.Carts.PutAsync("a", new Cart());
        var (before, _) = await source.Carts.UpdateAsync("a", new Look());
        await cluster.MoveAsync(default, target);
        var (after, _) = await source.Carts.UpdateAsync("a", new Look());
        Assert.True(after >= before, $"{after:O} is earlier than {before:O}");
    }

    private static async Task CheckAsync(SimulatedNode node, params string[] present)
    {
        foreach (var key in new[] { "after", "at", "never" })
            Assert.Equal(present.Contains(key), await node.Carts.GetAsync(key) is not null);
    }
}
