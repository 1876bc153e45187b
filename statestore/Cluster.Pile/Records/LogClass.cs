namespace Cluster.Pile.Records;

/// <summary>Records that may share a segment: those of one priority whose deadlines lie in one window, or that have
/// none. An immutable value.</summary>
/// <param name="Priority">What lower priorities never displace.</param>
/// <param name="Level">One more than the binary logarithm of the window's steps; zero for records without a
/// deadline.</param>
/// <param name="Window">Which window of that width it is.</param>
/// <param name="IsMain">Whether the records were read often enough in their first segment to stay longer.</param>
internal readonly record struct LogClass(byte Priority, byte Level, uint Window, bool IsMain)
{
    // The window is between a quarter and an eighth of what is left of the life, and no narrower than 0.8 s.
    private const int LevelMin = 4;
    private const int SharesShift = 3;

    /// <summary>The step by which all deadlines of the window are past; meaningless without a deadline.</summary>
    public uint End => (Window + 1) << (Level - 1);

    /// <summary>The class of a record that is put now.</summary>
    public static LogClass Of(byte priority, uint deadline, uint now)
    {
        if (deadline == 0)
            return new LogClass(priority, 0, 0, false);
        var left = (ulong)Math.Max(RecordClock.StepsUntil(deadline, now), 1);
        var level = Math.Max(LevelMin, System.Numerics.BitOperations.Log2(left) - SharesShift + 2);
        return new LogClass(priority, (byte)level, deadline >> (level - 1), false);
    }

    /// <summary>Whether a record with another deadline may stay in a segment of this class: it is looked at in
    /// time.</summary>
    public bool MayHold(uint deadline) =>
        Level == 0
            ? deadline == 0
            : deadline == 0 || RecordClock.StepsUntil(deadline, Window << (Level - 1)) >= 0;
}
