using Cluster.Testing.Simulation;
using Xunit.Abstractions;

namespace Cluster.ConventionTests.TestKit.Simulation;

/// <summary>Time, order, chance and clocks of the simulator.</summary>
public sealed class SimulatedWorldTests(ITestOutputHelper output) : ISimulatedTarget
{
    private const int EventCount = 2_000_000;

    private static readonly int[] FirstOfSeed42 = [343, 955, 486, 67, 676, 67];

    private readonly List<(TimeSpan At, int Subject)> _handled = [];
    private SimulatedWorld? _busy;
    private int _left;

    void ISimulatedTarget.Handle(in SimulatedEvent occurrence)
    {
        if (_busy is null)
        {
            _handled.Add((new TimeSpan(occurrence.Argument), occurrence.Subject));
            return;
        }

        if (_left-- > 0)
            _busy.Schedule(_busy.Now + new TimeSpan(_busy.Random.Next(10_000)), occurrence);
    }

    [Fact]
    public void Events_ComeByTime_AndThoseOfOneTimeInTheOrderOfTheirScheduling()
    {
        var world = new SimulatedWorld(3);
        for (var number = 0; number < 10_000; number++)
        {
            var at = new TimeSpan(world.Random.Next(500));
            world.Schedule(at, new SimulatedEvent(this, SimulatedEventKind.Other, number, at.Ticks));
        }

        while (world.Step(TimeSpan.FromSeconds(1)))
            Assert.Equal(world.Now, _handled[^1].At);
        Assert.Equal(10_000, _handled.Count);
        Assert.Equal(_handled.OrderBy(each => each.At).ThenBy(each => each.Subject), _handled);
        Assert.Equal(TimeSpan.FromSeconds(1), world.Now);
    }

    [Fact]
    public void EventOfThePast_ComesNow()
    {
        var world = new SimulatedWorld(1);
        Assert.False(world.Step(TimeSpan.FromSeconds(2)));
        world.Schedule(TimeSpan.FromSeconds(1), new SimulatedEvent(this, SimulatedEventKind.Other, 0));
        Assert.True(world.Step(TimeSpan.FromSeconds(2)));
        Assert.Equal(TimeSpan.FromSeconds(2), world.Now);
    }

    [Fact]
    public void EmptyEvents_AHundredOfThemWaiting_TakeLessThanTenMicrosecondsEach()
    {
        _busy = new SimulatedWorld(1);
        _left = EventCount;
        for (var number = 0; number < 100; number++)
            _busy.Schedule(TimeSpan.Zero, new SimulatedEvent(this, SimulatedEventKind.Other, number));
        var started = Stopwatch.GetTimestamp();
        while (_busy.Step(TimeSpan.MaxValue))
        {
        }

        var elapsed = Stopwatch.GetElapsedTime(started);
        output.WriteLine($"{_busy.EventCount / elapsed.TotalSeconds:N0} empty events a second");
        Assert.InRange(elapsed, TimeSpan.Zero, TimeSpan.FromSeconds(EventCount / 100_000));
    }

    [Fact]
    public void Random_OfASeed_IsTheSameOnEveryMachine()
    {
        var random = new SimulationRandom(42);
        Assert.Equal(FirstOfSeed42, Enumerable.Range(0, 6).Select(_ => random.Next(1_000)));
    }

    [Fact]
    public void Random_OverManyDraws_KeepsItsBoundsAndChances()
    {
        var random = new SimulationRandom(7);
        var hits = 0;
        var counts = new int[10];
        for (var draw = 0; draw < 100_000; draw++)
        {
            hits += random.Chance(250_000) ? 1 : 0;
            counts[random.Between(0, 9)]++;
            var time = random.Between(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2));
            Assert.InRange(time, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2));
        }

        Assert.InRange(hits, 24_000, 26_000);
        Assert.All(counts, count => Assert.InRange(count, 9_500, 10_500));
        Assert.False(random.Chance(0));
        Assert.True(random.Chance(SimulationRandom.Million));
    }

    [Theory]
    [InlineData(SimulatedClock.RateMin)]
    [InlineData(1_000_000)]
    [InlineData(1_033_333)]
    [InlineData(SimulatedClock.RateMax)]
    public void Clock_RunsAtItsRate_AndFindsTheFirstMomentOfAValue(int rate)
    {
        var clock = new SimulatedClock(rate, offset: 12_345);
        Assert.Equal(12_345 + (60L * 10 * rate), clock.At(TimeSpan.FromSeconds(60)));
        var random = new SimulationRandom((ulong)rate);
        for (var draw = 0; draw < 1_000; draw++)
        {
            var value = 12_345 + (long)random.Next(int.MaxValue);
            var first = clock.TrueTimeOf(value);
            Assert.True(clock.At(first) >= value);
            Assert.True(first == TimeSpan.Zero || clock.At(first - new TimeSpan(1)) < value);
        }

        Assert.Equal(TimeSpan.MaxValue, clock.TrueTimeOf(long.MaxValue));
    }

    [Fact]
    public void WallClock_ThatJumps_LeavesTheMonotonicClockAlone()
    {
        var clock = new SimulatedClock(SimulatedClock.RateMax, offset: 0);
        var now = TimeSpan.FromSeconds(10);
        var before = clock.At(now);
        Assert.Equal(SimulatedClock.WallStart + TimeSpan.FromSeconds(12), clock.WallAt(now));
        clock.JumpWall(TimeSpan.FromHours(-1));
        Assert.Equal(SimulatedClock.WallStart + TimeSpan.FromSeconds(12 - 3_600), clock.WallAt(now));
        Assert.Equal(before, clock.At(now));
    }
}
