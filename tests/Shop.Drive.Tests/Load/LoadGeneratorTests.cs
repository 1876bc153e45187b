using Cluster.Contracts;
using Cluster.Testing;
using Shop.Drive.Load;

namespace Shop.Drive.Tests.Load;

public sealed class LoadGeneratorTests : IAsyncDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly FakeWatch _watch = new();
    private readonly FakeCarts _carts = new();
    private readonly LoadGenerator _load;

    public LoadGeneratorTests()
    {
        _load = new LoadGenerator(
            new LoadContext(
                _watch, ["bash", "dpkg", "perl", "vim"], NodeId.NewIncarnation("front"), TimeProvider.System),
            new LoadPlan(2, 40, 1),
            TestShop.Catalog("n1"),
            _carts,
            TestShop.Orders("n1"));
    }

    public ValueTask DisposeAsync() => _load.DisposeAsync();

    [Fact]
    public async Task Run_HealthyShop_CountsOnlyAnswersFromElsewhere()
    {
        _load.Start();
        await Eventually.TrueAsync(() => _load.Figures.Calls > 5_000 && _load.SessionCount > 10, Bound);
        await _load.StopAsync();

        var figures = _load.Figures;
        Assert.Empty(_load.Failures);
        Assert.Equal((0, 0), (figures.Errors, figures.Unavailable));
        Assert.Equal(figures.Calls, figures.RemoteCalls);
        Assert.Equal(figures.Calls, figures.Latency.Count);
        Assert.InRange(_load.SessionCount, 1, 40);
        Assert.Equal(_load.SessionCount, _carts.Count);
        Assert.Equal(0, _load.SessionsLost);
    }

    [Fact]
    public async Task Run_ContentsLostAndAnnounced_CountsEachSessionOnceAndNoError()
    {
        _load.Start();
        await Eventually.TrueAsync(() => _load.SessionCount >= 20, Bound);

        // The loss count changes after the carts are gone, because the news may also come late in a real cluster.
        _carts.LoseAll();
        _watch.LossCount = 1;
        await Eventually.TrueAsync(() => _load.SessionsLost >= 20, Bound);
        await _load.StopAsync();

        Assert.Empty(_load.Failures);
        Assert.Equal(0, _load.Figures.Unavailable);
        Assert.InRange(_load.SessionsLost, 20, 40);
    }

    [Fact]
    public async Task Run_ContentsLostSilently_IsAnError()
    {
        _load.Start();
        await Eventually.TrueAsync(() => _load.SessionCount >= 20, Bound);

        _carts.LoseAll();
        await Eventually.TrueAsync(() => _load.Figures.Errors > 0, Bound);
        await _load.StopAsync();

        Assert.Contains(_load.Failures, failure => failure.Contains("The cart of", StringComparison.Ordinal));
        Assert.Equal(0, _load.SessionsLost);
    }

    [Fact]
    public async Task Run_OwnerDies_CountsUnavailableAndGoesOnAfterwards()
    {
        _load.Start();
        await Eventually.TrueAsync(() => _load.SessionCount > 0, Bound);

        _carts.Failure = Broken();
        _watch.Dead.Add(_watch.Owner);
        await Eventually.TrueAsync(() => _load.Figures.Unavailable > 0, Bound);
        _carts.Failure = null;
        var before = _load.Figures.Calls;
        await Eventually.TrueAsync(() => _load.Figures.Calls > before + 1_000, Bound);
        await _load.StopAsync();

        Assert.Empty(_load.Failures);
    }

    [Fact]
    public async Task Run_LivingOwnerFails_IsAnError()
    {
        _carts.Failure = Broken();
        _load.Start();
        await Eventually.TrueAsync(() => _load.Figures.Errors > 0, Bound);

        Assert.Equal(0, _load.Figures.Unavailable);
        Assert.Contains(_load.Failures, failure => failure.Contains("AddLineAsync", StringComparison.Ordinal));
    }

    private static GlueException Broken() =>
        new(GlueErrorKind.Broken, GlueDelivery.Unknown, GlueErrorCode.LinkLost, "The link is gone.");
}
