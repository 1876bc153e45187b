namespace Cluster.Contracts.Pacing;

/// <summary>The pauses of one loop that repeats what has failed: each is twice as long as the one before, up to a
/// bound, and spread by a <see cref="Jitter"/>, because many loops may fail at the same moment. Used by one logical
/// thread.</summary>
/// <param name="first">The pause after the first failure.</param>
/// <param name="longest">The longest pause.</param>
/// <param name="jitter">Spreads the pauses; it may be shared.</param>
public sealed class Backoff(TimeSpan first, TimeSpan longest, Jitter jitter)
{
    // More doublings than this would leave the range of a time.
    private const int MaxDoublings = 20;

    private int _failures;

    /// <summary>Counts a failure and returns the pause before the next attempt.</summary>
    public TimeSpan Next() => jitter.Spread(Pause(first, longest, _failures++));

    /// <summary>Notes that an attempt has succeeded: the next pause is the first one again.</summary>
    public void Reset() => _failures = 0;

    /// <summary>Returns the pause, without jitter, after a number of failures.</summary>
    /// <param name="first">The pause after the first failure.</param>
    /// <param name="longest">The longest pause.</param>
    /// <param name="failures">Failures before the one that has just happened: 0 for the first pause.</param>
    public static TimeSpan Pause(TimeSpan first, TimeSpan longest, int failures)
    {
        var pause = first * Math.Pow(2, Math.Min(failures, MaxDoublings));
        return pause < longest ? pause : longest;
    }
}
