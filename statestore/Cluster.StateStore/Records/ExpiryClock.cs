namespace Cluster.StateStore.Records;

/// <summary>Rounds exact expiry ticks up to the 32-bit seconds that the index keeps, so that a sweep needs no look into
/// the pile and never removes too early. Stateless.</summary>
internal static class ExpiryClock
{
    /// <summary>2020-01-01 in UTC ticks; 32 bits of seconds last until the year 2156.</summary>
    public static readonly long EpochTicks = new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc).Ticks;

    /// <summary>The first whole second at which a record has expired, from its exact ticks; 0 for never.</summary>
    public static uint ToDueSecond(long expiryTicks)
    {
        if (expiryTicks == 0)
            return 0;
        var seconds = (expiryTicks - EpochTicks + TimeSpan.TicksPerSecond - 1) / TimeSpan.TicksPerSecond;
        return seconds <= 0 ? 1 : seconds >= uint.MaxValue ? 0 : (uint)seconds;
    }

    /// <summary>The last whole second that has begun at a time.</summary>
    public static uint ToReachedSecond(long nowTicks) =>
        (uint)Math.Clamp((nowTicks - EpochTicks) / TimeSpan.TicksPerSecond, 0, uint.MaxValue - 1);
}
