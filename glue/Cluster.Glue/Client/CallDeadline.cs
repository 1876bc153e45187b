using Cluster.Glue.Settings;

namespace Cluster.Glue.Client;

/// <summary>Computes the deadline of a call from the client's default and from the call being served. Only durations
/// travel, so clocks need not agree.</summary>
internal static class CallDeadline
{
    /// <summary>The deadline as a timestamp: the default time from now, or the time that <c>GlueCall.WithDeadline</c>
    /// gives, but never more than the route allows, and never beyond the deadline of the call being served.</summary>
    /// <param name="settings">The settings of the client.</param>
    /// <param name="timeMax">The longest time that the route of the call allows.</param>
    /// <param name="now">A timestamp of the client's clock.</param>
    public static long Next(ClientSettings settings, TimeSpan timeMax, long now)
    {
        var time = settings.Deadline;
        GlueCall? serving = null;
        switch (GlueCall.AmbientValue)
        {
            case GlueCall call:
                serving = call;
                break;
            case GlueCall.DeadlineScope scope:
                time = scope.Time;
                serving = scope.Serving;
                break;
        }

        if (timeMax < time)
            time = timeMax;
        if (serving is not null && serving.Remaining < time)
            time = serving.Remaining;
        return After(settings.Time, now, time);
    }

    public static long After(TimeProvider clock, TimeSpan time) => After(clock, clock.GetTimestamp(), time);

    public static long After(TimeProvider clock, long now, TimeSpan time) =>
        now + (long)(time.Ticks * ((double)clock.TimestampFrequency / TimeSpan.TicksPerSecond));

    /// <summary>The time left in the form of the wire: whole milliseconds, rounded up, at least 1.</summary>
    public static ulong ToWire(TimeSpan remaining) =>
        remaining.Ticks <= TimeSpan.TicksPerMillisecond
            ? 1
            : (ulong)((remaining.Ticks + TimeSpan.TicksPerMillisecond - 1) / TimeSpan.TicksPerMillisecond);

    /// <summary>The time that a request gives its method; the default when it names none or an impossible
    /// one.</summary>
    public static TimeSpan FromWire(ulong milliseconds, TimeSpan otherwise) =>
        milliseconds is 0 || milliseconds > (ulong)GlueLimits.DeadlineHighest.TotalMilliseconds
            ? otherwise
            : TimeSpan.FromMilliseconds(milliseconds);
}
