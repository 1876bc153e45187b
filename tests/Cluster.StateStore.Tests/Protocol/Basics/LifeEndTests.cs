using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Tests.Protocol.Basics;

public sealed class LifeEndTests
{
    private static readonly long Now = new DateTime(2026, 11, 26, 0, 0, 0, DateTimeKind.Utc).Ticks;

    [Fact]
    public void Numbers_ThatAreNoWindow_MeanNeverOrTheirTicks()
    {
        Assert.False(LifeEnd.IsOver(0, long.MaxValue));
        Assert.Equal((true, false), (LifeEnd.IsOver(Now, Now), LifeEnd.IsOver(Now + 1, Now)));
        Assert.Equal(Now, LifeEnd.TicksOf(Now));
        Assert.Equal(DateTime.MaxValue.Ticks, LifeEnd.TicksOf(DateTime.MaxValue.Ticks));
        Assert.Equal((Now, 0L), (LifeEnd.Renew(Now, Now + 5), LifeEnd.Renew(0, Now)));
        Assert.All([0, -1, Now, DateTime.MaxValue.Ticks], end => Assert.False(LifeEnd.IsSliding(end)));
        Assert.All([0, -1, Now], end => Assert.False(LifeEnd.NeedsRenewal(end, Now)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Sliding_AnyWindow_EndsAtMostAFiveHundredthLater(int seed)
    {
        var random = new Random(seed);
        for (var round = 0; round < 10_000; round++)
        {
            var window = (long)Math.Pow(10, 1 + (random.NextDouble() * 14.9));
            var end = LifeEnd.Sliding(window, Now);
            Assert.True(LifeEnd.IsSliding(end));
            var lasts = LifeEnd.TicksOf(end) - Now;
            var roundedUp = Math.Max(TimeSpan.TicksPerMillisecond, window / 500) + TimeSpan.TicksPerMillisecond;
            Assert.InRange(lasts, window, window + roundedUp);
            Assert.Equal((false, true), (LifeEnd.IsOver(end, Now + window - 1), LifeEnd.IsOver(end, Now + lasts)));
            Assert.Equal(LifeEnd.Sliding(window, Now + window), LifeEnd.Renew(end, Now + window));
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(511)]
    [InlineData(512)]
    [InlineData(1_023)]
    [InlineData(1_024)]
    [InlineData(1_200_000)]
    public void Sliding_WindowsAtTheEdgesOfTheForm_AreExact(int milliseconds)
    {
        var window = milliseconds * TimeSpan.TicksPerMillisecond;
        var lasts = LifeEnd.TicksOf(LifeEnd.Sliding(window, Now)) - Now;
        Assert.InRange(lasts, window, window + (window / 500));
        Assert.True(milliseconds > 1_024 || lasts == window);
    }

    [Fact]
    public void Sliding_LongestWindow_StaysInItsForm()
    {
        var end = LifeEnd.Sliding(long.MaxValue, Now);
        Assert.InRange(LifeEnd.TicksOf(end) - Now, TimeSpan.FromDays(34 * 365).Ticks, TimeSpan.FromDays(36 * 365).Ticks);
    }

    [Fact]
    public void NeedsRenewal_FirstEighthOfTheWindow_DoesNot()
    {
        var window = TimeSpan.FromMilliseconds(800).Ticks;
        var end = LifeEnd.Sliding(window, Now);
        Assert.False(LifeEnd.NeedsRenewal(end, Now));
        Assert.False(LifeEnd.NeedsRenewal(end, Now + (window / 8) - 1));
        Assert.True(LifeEnd.NeedsRenewal(end, Now + (window / 8)));
    }
}
