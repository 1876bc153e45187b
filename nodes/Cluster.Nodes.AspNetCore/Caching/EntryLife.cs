using Cluster.StateStore;
using Microsoft.Extensions.Caching.Distributed;

namespace Cluster.Nodes.AspNetCore.Caching;

/// <summary>When an entry goes away, as its options say it, in the words of the state. A state slides a value or ends
/// it at an instant. An entry with both slides until its next window would pass its end, and then gets the end.
/// Immutable.</summary>
/// <param name="Expiry">The expiry of the state's value.</param>
/// <param name="EndTicks">The UTC tick at which a sliding value ends in any case; zero: none.</param>
/// <param name="WindowTicks">The window of a sliding value with an end; zero for every other one.</param>
internal readonly record struct EntryLife(StateExpiry Expiry, long EndTicks = 0, long WindowTicks = 0)
{
    // A state rounds a window up by at most 0.2 %, which is less than a part in 256.
    private const int WindowRounding = 256;

    /// <summary>Reads the options of a write. As in the other distributed caches of .NET, an end relative to now counts
    /// where both kinds of end are set.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The absolute end is in the past.</exception>
    public static EntryLife Of(DistributedCacheEntryOptions options, TimeProvider time)
    {
        // Most entries have at most an end relative to now, which needs no clock here.
        if (options is { AbsoluteExpiration: null, SlidingExpiration: null })
            return new EntryLife(AbsoluteOf(options));

        var now = time.GetUtcNow();
        if (options.AbsoluteExpiration is { } instant && instant <= now)
            throw PastEnd(nameof(options.AbsoluteExpiration), instant);

        if (options.SlidingExpiration is not { } window)
            return new EntryLife(AbsoluteOf(options));
        if (EndOf(options, now) is not { } end)
            return new EntryLife(StateExpiry.Sliding(window));
        return IsPastEnd(now.UtcTicks, window.Ticks, end)
            ? new EntryLife(AbsoluteOf(options))
            : new EntryLife(StateExpiry.Sliding(window), end, window.Ticks);
    }

    /// <summary>Whether a window that begins now would end after the end of the entry.</summary>
    public static bool IsPastEnd(long nowTicks, long windowTicks, long endTicks) =>
        windowTicks >= endTicks - nowTicks - (windowTicks / WindowRounding);

    private static ArgumentOutOfRangeException PastEnd(string option, DateTimeOffset found) =>
        new(option, found, "The absolute end of a value must be in the future.");

    // A span starts at the owner's time, so a clock of the caller that is wrong does not matter.
    private static StateExpiry AbsoluteOf(DistributedCacheEntryOptions options) => options switch
    {
        { AbsoluteExpirationRelativeToNow: { } span } => StateExpiry.After(span),
        { AbsoluteExpiration: { } instant } => StateExpiry.At(instant),
        _ => StateExpiry.Default,
    };

    // An end that lies beyond all dates is none.
    private static long? EndOf(DistributedCacheEntryOptions options, DateTimeOffset now)
    {
        if (options.AbsoluteExpirationRelativeToNow is not { } span)
            return options.AbsoluteExpiration?.UtcTicks;
        return span.Ticks > DateTime.MaxValue.Ticks - now.UtcTicks ? null : now.UtcTicks + span.Ticks;
    }
}
