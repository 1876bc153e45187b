namespace Cluster.StateStore.Tests.Hosting;

/// <summary>Partitions that move between nodes whose clocks differ. An expiry is a time of UTC and moves as such; the
/// clock of the primary decides when it has come, and the time of a partition never goes back.</summary>
[Trait("Case", "repair-C8")]
public sealed class MoveClockTests : IAsyncDisposable
{
    private static readonly string[] Keys = ["after", "at", "never"];

    private readonly SimulatedCluster _cluster = new(nodes: 2, partitions: 1);

    public ValueTask DisposeAsync() => _cluster.DisposeAsync();

    [Theory]
    [InlineData(3_600)]
    [InlineData(-3_600)]
    [InlineData(0)]
    public async Task Move_ToANodeWithAnotherClock_LivesEndWhenThatClockSaysSo(int secondsAhead)
    {
        var (source, target) = await StartAsync(secondsAhead);
        var begin = _cluster.Time.GetUtcNow();
        await source.Carts.PutAsync("after", new Cart(), StateExpiry.After(TimeSpan.FromMinutes(90)));
        await source.Carts.PutAsync("at", new Cart(), StateExpiry.At(begin + TimeSpan.FromMinutes(100)));
        await source.Carts.PutAsync("never", new Cart());
        await _cluster.MoveAsync(default, target);
        await CheckAsync(target, Keys);
        JumpTo(target, begin + TimeSpan.FromMinutes(90) - TimeSpan.FromTicks(1));
        await CheckAsync(target, Keys);
        JumpTo(target, begin + TimeSpan.FromMinutes(90));
        await CheckAsync(target, "at", "never");
        JumpTo(target, begin + TimeSpan.FromMinutes(100));
        await CheckAsync(target, "never");
        await _cluster.UntilAsync(() => target.RecordCount == 1);
    }

    [Theory]
    [InlineData(40)]
    [InlineData(-3_600)]
    public async Task Move_ThereAndBack_TheLifeEndsWhenItWould(int secondsAhead)
    {
        var (source, target) = await StartAsync(secondsAhead);
        var end = _cluster.Time.GetUtcNow() + TimeSpan.FromMinutes(5);
        var version = await source.Carts.PutAsync("a", new Cart(), StateExpiry.At(end));
        for (var move = 0; move < 4; move++)
        {
            _cluster.Advance(TimeSpan.FromSeconds(10));
            await _cluster.MoveAsync(default, move % 2 == 0 ? target : source);
            Assert.Equal(version, (await source.Carts.GetWithVersionAsync("a"))!.Value.Version);
        }

        JumpTo(source, end - TimeSpan.FromTicks(1));
        Assert.NotNull(await source.Carts.GetAsync("a"));
        JumpTo(source, end);
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

    private void JumpTo(SimulatedNode node, DateTimeOffset utc) => _cluster.Jump(utc - node.Clock.GetUtcNow());

    private static async Task CheckAsync(SimulatedNode node, params string[] present)
    {
        foreach (var key in Keys)
            Assert.Equal(present.Contains(key), await node.Carts.GetAsync(key) is not null);
    }
}
