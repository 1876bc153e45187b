namespace Cluster.StateStore.Protocol.Basics;

/// <summary>The end of a record's life in one number, as log entries, frames and records bear it. Pure functions.
/// <list type="bullet">
/// <item>Zero: the record lives until it is removed.</item>
/// <item>Bit 62 is clear: the end, in ticks of UTC.</item>
/// <item>Bit 62 is set: each access starts a window anew. Bits 0 to 47 are the end, in milliseconds of UTC. Bits 48 to
/// 61 are the window in milliseconds: five bits of exponent and nine of fraction, rounded up.</item>
/// </list>
/// </summary>
internal static class LifeEnd
{
    private const long SlidingFlag = 1L << 62;
    private const int WindowShift = 48;
    private const int FractionBits = 9;
    private const int FractionEnd = 1 << FractionBits;
    private const int ExponentMax = 31;
    private const long EndMax = (1L << WindowShift) - 1;
    private const int CodeMax = (1 << 14) - 1;

    // An access this part of the window after the last one starts the window anew. Earlier ones need no entry in the
    // log.
    private const int RenewalPart = 8;

    /// <summary>The end of a life whose window starts now.</summary>
    /// <param name="window">The window, in ticks.</param>
    /// <param name="now">The partition time, in ticks of UTC.</param>
    public static long Sliding(long window, long now) => Sliding(CodeOf(ToMilliseconds(window)), now);

    /// <summary>Whether each access starts a window anew.</summary>
    public static bool IsSliding(long end) => end > 0 && (end & SlidingFlag) != 0;

    /// <summary>Whether a life is over at a partition time, in ticks of UTC.</summary>
    public static bool IsOver(long end, long time) => end != 0 && TicksOf(end) <= time;

    /// <summary>The end in ticks of UTC; zero: there is none.</summary>
    public static long TicksOf(long end) =>
        IsSliding(end) ? (end & EndMax) * TimeSpan.TicksPerMillisecond : end;

    /// <summary>The end after an access.</summary>
    public static long Renew(long end, long now) => IsSliding(end) ? Sliding(CodeIn(end), now) : end;

    /// <summary>Whether an access is so late in the window that the window has to start anew.</summary>
    public static bool NeedsRenewal(long end, long now)
    {
        if (!IsSliding(end))
            return false;
        var window = WindowOf(CodeIn(end)) * TimeSpan.TicksPerMillisecond;
        return now - (TicksOf(end) - window) >= window / RenewalPart;
    }

    private static long Sliding(int code, long now)
    {
        var end = ToMilliseconds(now) + WindowOf(code);
        return SlidingFlag | ((long)code << WindowShift) | Math.Min(end, EndMax);
    }

    private static long ToMilliseconds(long ticks) =>
        (ticks / TimeSpan.TicksPerMillisecond) + (ticks % TimeSpan.TicksPerMillisecond == 0 ? 0 : 1);

    private static int CodeIn(long end) => (int)(end >> WindowShift) & CodeMax;

    // A short window is its own code. Of a longer one, the code has the exponent and ten bits, of which the highest is
    // always set and left out.
    private static int CodeOf(long window)
    {
        if (window < FractionEnd)
            return (int)window;
        for (var shift = 0; shift < ExponentMax; shift++)
        {
            var fraction = (window + (1L << shift) - 1) >> shift;
            if (fraction < 2 * FractionEnd)
                return ((shift + 1) << FractionBits) | (int)(fraction - FractionEnd);
        }

        return CodeMax;
    }

    private static long WindowOf(int code)
    {
        var (exponent, fraction) = (code >> FractionBits, code & (FractionEnd - 1));
        return exponent == 0 ? fraction : (FractionEnd + (long)fraction) << (exponent - 1);
    }
}
