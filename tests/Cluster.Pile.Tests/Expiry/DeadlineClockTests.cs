using Cluster.Pile.Expiry;
using Cluster.Pile.Layout;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Expiry;

/// <summary>Deadlines of 29 bits: rounded down, counted round and round, never zero.</summary>
public sealed class DeadlineClockTests
{
    private static readonly TimeSpan Round =
        TimeSpan.FromTicks((1L << ExtendedWord.DeadlineBits) * DeadlineSteps.StepTicks);

    private readonly ManualTimeProvider _time = new();

    [Theory]
    [InlineData(0, 1000, 1000)]
    [InlineData(50, 100, 50)]
    [InlineData(99, 100, 1)]
    [InlineData(70, 1234, 1230)]
    public void Deadline_OfATimeToLive_IsTheLastStepWithinIt(int startMs, int lifeMs, int livesMs)
    {
        var clock = NewClock();
        Advance(startMs);
        var deadline = clock.DeadlineAfter(TimeSpan.FromMilliseconds(lifeMs));
        _time.Advance(TimeSpan.FromMilliseconds(livesMs) - TimeSpan.FromTicks(1));
        Assert.False(clock.IsPast(deadline));
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.True(clock.IsPast(deadline));
    }

    [Fact]
    public void Deadline_AcrossTheEndOfARound_ComesInTime()
    {
        var clock = NewClock();
        _time.Advance(Round - TimeSpan.FromDays(1));
        var longest = clock.DeadlineAfter(PutHints.MaxTimeToLive);
        var twoDays = clock.DeadlineAfter(TimeSpan.FromDays(2));
        _time.Advance(TimeSpan.FromDays(2) - TimeSpan.FromTicks(1));
        Assert.False(clock.IsPast(twoDays));
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.True(clock.IsPast(twoDays));
        _time.Advance(PutHints.MaxTimeToLive - TimeSpan.FromDays(2) - TimeSpan.FromTicks(1));
        Assert.False(clock.IsPast(longest));
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.True(clock.IsPast(longest));

        // Nothing comes back to life for the rest of the round.
        _time.Advance(TimeSpan.FromDays(221));
        Assert.True(clock.IsPast(longest));
    }

    [Fact]
    public void Deadline_ThatWouldBeZero_EndsAStepEarlier()
    {
        var clock = NewClock();
        _time.Advance(Round - TimeSpan.FromSeconds(1));
        var deadline = clock.DeadlineAfter(TimeSpan.FromSeconds(1));
        Assert.Equal(ExtendedWord.DeadlineMax, deadline);
        Assert.Equal(1U, DeadlineSteps.OfObjects.Next(deadline));
        Advance(899);
        Assert.False(clock.IsPast(deadline));
        Advance(1);
        Assert.True(clock.IsPast(deadline));
    }

    [Fact]
    public void NoDeadline_IsNeverPast()
    {
        var clock = NewClock();
        _time.Advance(TimeSpan.FromDays(300));
        Assert.False(clock.IsPast(0));
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(int.MaxValue, int.MaxValue)]
    [InlineData(int.MaxValue + 1L, int.MinValue)]
    [InlineData(-1, -1)]
    [InlineData(-5_000_000, -5_000_000)]
    public void StepsOfRecords_CountHalfARound_InBothDirections(long steps, long expected) =>
        Assert.Equal(expected, DeadlineSteps.OfRecords.Until(unchecked(7U + (uint)steps), 7));

    private DeadlineClock NewClock() => new(_time, DeadlineSteps.OfObjects, firstTicks: 0);

    private void Advance(int milliseconds) => _time.Advance(TimeSpan.FromMilliseconds(milliseconds));
}
