using Cluster.Nodes.Configuration;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Stores;
using Cluster.Testing;

namespace Cluster.Nodes.Tests.Loops;

public sealed class BackgroundLoopTests
{
    private static readonly LoopPace Pace = new(
        TimeSpan.FromSeconds(1), TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(2));

    private readonly ManualTimeProvider _time = new();
    private int _steps;

    [Fact]
    public async Task Loop_Success_PausesBetweenSteps()
    {
        using var logs = new LogRecorder();
        await using var loop = Create(logs, () => { });
        loop.Start();
        for (var expected = 1; expected <= 3; expected++)
        {
            await _time.WaitForTimersAsync();
            Assert.Equal(expected, _steps);
            _time.Advance(Pace.AfterSuccess);
        }
    }

    [Fact]
    public async Task Loop_Failure_BacksOffShowsItAndRecovers()
    {
        using var logs = new LogRecorder().Allow(5020);
        var isBroken = true;
        await using var loop = Create(logs, () =>
        {
            if (isBroken)
                throw new InvalidOperationException("broken");
        });
        loop.Start();
        await _time.WaitForTimersAsync();
        Assert.Equal("broken", loop.Failure);
        isBroken = false;
        _time.Advance(Pace.AfterFailureMin);
        await Eventually.TrueAsync(() => loop.Failure is null, TimeSpan.FromMinutes(1));
    }

    [Fact]
    public async Task Loop_FailingForLong_WritesOneLinePerDoublingAndNoneForAStoreThatIsAway()
    {
        using var logs = new LogRecorder().Allow(5020);
        await using var loop = Create(logs, () =>
        {
            if (_steps > 16)
                throw new ClusterStoreException(ClusterStoreError.Unreachable, "away");
            throw new InvalidOperationException("broken");
        });
        loop.Start();
        for (var step = 0; step < 40; step++)
        {
            await _time.WaitForTimersAsync();
            _time.Advance(Pace.AfterFailureMax);
            var reached = step + 2;
            await Eventually.TrueAsync(() => _steps >= reached, TimeSpan.FromMinutes(1));
        }

        Assert.Equal(5, logs.Entries.Count(entry => entry.Event.Id == 5020));
    }

    [Fact]
    public async Task Dispose_BeforeStartAndTwice_IsHarmless()
    {
        using var logs = new LogRecorder();
        var loop = Create(logs, () => { });
        await loop.DisposeAsync();
        await loop.DisposeAsync();
        Assert.Equal(0, _steps);
    }

    private BackgroundLoop Create(LogRecorder logs, Action step)
    {
        var self = new NodeIdentity(new NodeId("n1", new Guid(1, 0, 0, new byte[8])));
        var surroundings = new LoopContext(_time, self, logs.CreateLogger<LoopContext>());
        return new BackgroundLoop("Test", Pace, surroundings, _ =>
        {
            Interlocked.Increment(ref _steps);
            step();
            return ValueTask.CompletedTask;
        });
    }
}
