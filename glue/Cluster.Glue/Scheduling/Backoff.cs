using System.Security.Cryptography;

namespace Cluster.Glue.Scheduling;

/// <summary>The pauses of one loop that repeats what has failed: each is twice as long as the one before, up to a
/// bound, and spread, because many loops may fail at the same moment. Used by one logical thread.</summary>
internal sealed class Backoff(TimeSpan first, TimeSpan longest)
{
    // More of them would leave the range of a time.
    private const int MaxDoublings = 16;

    private int _count;

    /// <summary>The pause before the next repetition.</summary>
    public TimeSpan Next() => Spread(Pause(first, longest, _count++));

    /// <summary>The last attempt was good: the next pause is the first one again.</summary>
    public void Reset() => _count = 0;

    /// <summary>The pause after some failures, from 0 on.</summary>
    public static TimeSpan Pause(TimeSpan first, TimeSpan longest, int failures)
    {
        var pause = first * Math.Pow(2, Math.Min(failures, MaxDoublings));
        return pause < longest ? pause : longest;
    }

    /// <summary>Half to one and a half of a time. Nothing depends on which.</summary>
    public static TimeSpan Spread(TimeSpan time) => time * (RandomNumberGenerator.GetInt32(500, 1500) / 1000.0);
}
