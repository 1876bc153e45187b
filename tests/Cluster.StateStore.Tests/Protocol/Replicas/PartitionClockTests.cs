using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Replicas;
using Xunit.Abstractions;

namespace Cluster.StateStore.Tests.Protocol.Replicas;

/// <summary>The time of a partition runs evenly, whatever the wall clocks of its primaries do.</summary>
public sealed class PartitionClockTests(ITestOutputHelper output)
{
    private const long Second = TimeSpan.TicksPerSecond;
    private const long Hour = TimeSpan.TicksPerHour;
    private const long Start = 1_000_000 * Hour;

    [Fact]
    public void Begin_NothingTold_IsTheWallClock()
    {
        var clock = Begun();
        Assert.Equal((Start, Start + Second), (clock.At(0), clock.At(Second)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    public void Steer_WallClockAnHourOff_FollowsByAnEighth(int sign)
    {
        var clock = Begun();
        clock.Steer(new Moment(8 * Second, Start + (8 * Second) + (sign * Hour)));
        Assert.Equal(Start + (8 * Second) + (sign * Second), clock.At(8 * Second));
        clock.Steer(new Moment(16 * Second, Start + (16 * Second) + (sign * Hour)));
        Assert.Equal(Start + (16 * Second) + (sign * 2 * Second), clock.At(16 * Second));
    }

    [Fact]
    public void Steer_WallClockALittleOff_ReachesIt()
    {
        var clock = Begun();
        clock.Steer(new Moment(8 * Second, Start + (8 * Second) + 5));
        Assert.Equal(Start + (8 * Second) + 5, clock.At(8 * Second));
    }

    /// <summary>A backup may have heard nothing of an idle partition for hours.</summary>
    [Fact]
    public void Begin_ToldHoursAgo_GoesOnAndDoesNotJumpToTheWallClock()
    {
        var clock = new PartitionClock();
        clock.Told(Start, ticks: 0);
        clock.Begin(new Moment(10 * Hour, Start + (11 * Hour)));
        clock.Steer(new Moment((10 * Hour) + Second, Start + (11 * Hour) + Second));
        Assert.Equal(Start + (10 * Hour) + Second + (Second / 8), clock.At((10 * Hour) + Second));
    }

    [Fact]
    public void At_LaterThanTheClock_NeverGoesBack()
    {
        var clock = Begun();
        clock.Gave(Start + Hour);
        Assert.Equal(Start + Hour, clock.At(Second));
        clock.Told(Start, Second);
        Assert.Equal((Start + Hour, Start + Hour), (clock.Latest, clock.At(2 * Second)));
    }

    [Fact]
    public void Reset_ForgetsTheTime()
    {
        var clock = Begun();
        clock.Gave(Start);
        clock.Reset();
        Assert.Equal(0, clock.At(Hour));
    }

    [Fact]
    public void Lives_UnderJumpsAndTakeovers_AreAtMostAnEighthOff()
    {
        var seed = Random.Shared.Next();
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (var run = 0; run < 200; run++)
        {
            var (clock, now) = (Begun(), 0L);
            for (var step = 0; step < 100; step++)
            {
                var from = clock.At(now);
                var passed = random.NextInt64(1, 20 * Second);
                now += passed;
                if (random.Next(4) == 0)
                {
                    // The next primary was told the time a moment ago. Its monotonic clock is another one.
                    var told = clock.At(now);
                    clock = new PartitionClock();
                    now = random.NextInt64(Hour);
                    clock.Told(told, now);
                    clock.Begin(new Moment(now, Start + random.NextInt64(-Hour, Hour)));
                }
                else
                {
                    clock.Steer(new Moment(now, Start + now + random.NextInt64(-2 * Hour, 2 * Hour)));
                }

                Assert.InRange(clock.At(now) - from, passed - (passed / 8), passed + (passed / 8));
            }
        }
    }

    private static PartitionClock Begun()
    {
        var clock = new PartitionClock();
        clock.Begin(new Moment(0, Start));
        return clock;
    }
}
