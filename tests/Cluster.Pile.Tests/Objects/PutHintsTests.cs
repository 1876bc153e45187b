namespace Cluster.Pile.Tests.Objects;

/// <summary>What hints accept.</summary>
public sealed class PutHintsTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(TimeSpan.TicksPerMillisecond - 1)]
    [InlineData((TimeSpan.TicksPerMillisecond * 100) - 1)]
    [InlineData((TimeSpan.TicksPerDay * 400) + 1)]
    [InlineData(long.MaxValue)]
    [InlineData(long.MinValue)]
    public void TimeToLive_OutOfRange_IsRefusedWithTheRange(long ticks)
    {
        var refused = Assert.Throws<ArgumentOutOfRangeException>(
            () => new PutHints { TimeToLive = TimeSpan.FromTicks(ticks) });
        Assert.Contains("from 00:00:00.1000000 to 400.00:00:00", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void TimeToLive_InRangeOrInfiniteOrNull_IsKept()
    {
        Assert.All(
            [PutHints.MinTimeToLive, PutHints.MaxTimeToLive, Timeout.InfiniteTimeSpan, TimeSpan.FromTicks(1_234_567)],
            span => Assert.Equal(span, new PutHints { TimeToLive = span }.TimeToLive));
        Assert.Null(default(PutHints).TimeToLive);
        Assert.Equal(default, new PutHints { TimeToLive = null, RoomBytes = 0 });
    }

    [Fact]
    public void RoomBytes_BelowZero_IsRefused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new PutHints { RoomBytes = -1 });
        Assert.Equal(int.MaxValue, new PutHints { RoomBytes = int.MaxValue }.RoomBytes);
    }
}
