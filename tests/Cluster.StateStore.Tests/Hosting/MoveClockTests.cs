using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>Partitions that move between nodes whose clocks differ, and clocks that jump. Lives end by the time of the
/// partition (<see cref="PartitionClock"/>), which goes on evenly and never goes back.</summary>
[Trait("Case", "repair-C8")]
public sealed class MoveClockTests : IAsyncDisposable
{
    private static readonly string[] Keys = ["after", "at", "never"];

    private readonly SimulatedCluster _cluster = new(nodes: 2, partitions: 1);

    public ValueTask DisposeAsync() => _cluster.DisposeAsync();

    /// <summary>Lives of 80 and 130 s end at most an eighth too early or too late.</summary>
    [Theory]
    [InlineData(3_600)]
    [InlineData(-3_600)]
    public async Task Move_ToANodeWithAnotherClock_LivesEndAfterTheirTime(int secondsAhead)
    {
        var (source, target) = await StartAsync(secondsAhead);
        var begin = _cluster.Manual.Elapsed;
        await PutAsync(source);
        await _cluster.MoveAsync(default, target);
        AdvanceTo(begin, seconds: 69);
        await CheckAsync(target, Keys);
        AdvanceTo(begin, seconds: 93);
        await CheckAsync(target, "at", "never");
        AdvanceTo(begin, seconds: 150);
        await CheckAsync(target, "never");
        await _cluster.UntilAsync(() => target.RecordCount == 1);
    }

    [Fact]
    public async Task Move_ToANodeWithTheSameClock_LivesEndInTime()
    {
        var (source, target) = await StartAsync(secondsAhead: 0);
        var begin = _cluster.Manual.Elapsed;
        await PutAsync(source);
        await _cluster.MoveAsync(default, target);
        AdvanceTo(begin, seconds: 79.9);
        await CheckAsync(target, Keys);
        AdvanceTo(begin, seconds: 80.1);
        await CheckAsync(target, "at", "never");
    }

    /// <summary>A service for the time corrects a clock, first by too much.</summary>
    [Theory]
    [InlineData(3_600, -7_200)]
    [InlineData(-7_200, 3_600)]
    public async Task Jump_OfTheClock_NeitherEndsLivesNorKeepsThem(int seconds, int secondsLater)
    {
        var owner = _cluster.OwnerOf(default);
        var begin = _cluster.Manual.Elapsed;
        await PutAsync(owner);
        _cluster.Jump(TimeSpan.FromSeconds(seconds));
        AdvanceTo(begin, seconds: 35);
        await CheckAsync(owner, Keys);
        _cluster.Jump(TimeSpan.FromSeconds(secondsLater));
        AdvanceTo(begin, seconds: 69);
        await CheckAsync(owner, Keys);
        AdvanceTo(begin, seconds: 150);
        await CheckAsync(owner, "never");
    }

    [Theory]
    [InlineData(40)]
    [InlineData(-3_600)]
    public async Task Move_ThereAndBack_TheLifeEndsWhenItWould(int secondsAhead)
    {
        var (source, target) = await StartAsync(secondsAhead);
        var begin = _cluster.Manual.Elapsed;
        var end = _cluster.Time.GetUtcNow() + TimeSpan.FromSeconds(80);
        var version = await source.Carts.PutAsync("a", new Cart(), StateExpiry.At(end));
        for (var move = 0; move < 4; move++)
        {
            _cluster.Advance(TimeSpan.FromSeconds(10));
            await _cluster.MoveAsync(default, move % 2 == 0 ? target : source);
            Assert.Equal(version, (await source.Carts.GetWithVersionAsync("a"))!.Value.Version);
        }

        AdvanceTo(begin, seconds: 69);
        Assert.NotNull(await source.Carts.GetAsync("a"));
        AdvanceTo(begin, seconds: 93);
        Assert.Null(await source.Carts.GetAsync("a"));
    }

    [Fact]
    public async Task Move_ToANodeWhoseClockIsBehind_DoesNotTurnBackTheTimeOfOperations()
    {
        var (source, target) = await StartAsync(secondsAhead: -30);
        await source.Carts.PutAsync("a", new Cart());
        var (before, _) = await source.Carts.UpdateAsync("a", new Look());
        await _cluster.MoveAsync(default, target);
        var (after, _) = await source.Carts.UpdateAsync("a", new Look());
        Assert.True(after >= before, $"{after:O} is earlier than {before:O}");
    }

    private async Task<(SimulatedNode Source, SimulatedNode Target)> StartAsync(int secondsAhead)
    {
        var source = _cluster.OwnerOf(default);
        var target = _cluster.OtherThan(source);
        target.Clock.Shift = TimeSpan.FromSeconds(secondsAhead);
        await _cluster.UntilAsync(() => _cluster.IsQuiet);
        return (source, target);
    }

    private async Task PutAsync(SimulatedNode node)
    {
        var at = _cluster.Time.GetUtcNow() + TimeSpan.FromSeconds(130);
        await node.Carts.PutAsync("after", new Cart(), StateExpiry.After(TimeSpan.FromSeconds(80)));
        await node.Carts.PutAsync("at", new Cart(), StateExpiry.At(at));
        await node.Carts.PutAsync("never", new Cart());
    }

    private void AdvanceTo(TimeSpan begin, double seconds) =>
        _cluster.Advance(begin + TimeSpan.FromSeconds(seconds) - _cluster.Manual.Elapsed);

    private static async Task CheckAsync(SimulatedNode node, params string[] present)
    {
        foreach (var key in Keys)
            Assert.Equal(present.Contains(key), await node.Carts.GetAsync(key) is not null);
    }
}
