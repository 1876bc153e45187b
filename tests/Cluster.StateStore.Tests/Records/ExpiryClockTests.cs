using Cluster.StateStore.Records;

namespace Cluster.StateStore.Tests.Records;

public sealed class ExpiryClockTests
{
    [Fact]
    public void ToDueSecond_AnyTick_IsNeverReachedBeforeTheTick()
    {
        var random = new Random(5);
        for (var number = 0; number < 10_000; number++)
        {
            var expiry = ExpiryClock.EpochTicks + random.NextInt64(0, TimeSpan.TicksPerDay * 40_000);
            var due = ExpiryClock.ToDueSecond(expiry);
            var lag = ((due * TimeSpan.TicksPerSecond) + ExpiryClock.EpochTicks) - expiry;
            Assert.True(lag is >= 0 and <= TimeSpan.TicksPerSecond || due == 1);
            if (due > 1)
                Assert.True(ExpiryClock.ToReachedSecond(expiry - 1) < due);
        }
    }

    [Fact]
    public void ToDueSecond_Edges_AreNeverZeroForAnExpiry()
    {
        Assert.Equal(0u, ExpiryClock.ToDueSecond(0));
        Assert.Equal(1u, ExpiryClock.ToDueSecond(1));
        Assert.Equal(1u, ExpiryClock.ToDueSecond(ExpiryClock.EpochTicks));

        // After the year 2156 the sweep does not free the record. Reads still check its exact expiry.
        Assert.Equal(0u, ExpiryClock.ToDueSecond(DateTime.MaxValue.Ticks));
        Assert.Equal(uint.MaxValue - 1, ExpiryClock.ToReachedSecond(DateTime.MaxValue.Ticks));
    }
}
