using Cluster.Pile.Expiry;

namespace Cluster.Pile.Tables.Log;

/// <summary>The class of records that may share a segment: records of one priority whose deadlines lie in one window,
/// or that have no deadline. An immutable value.</summary>
/// <param name="Priority">Records of a lower priority never evict those of a higher one.</param>
/// <param name="Level">One more than the binary logarithm of the window's steps; zero for records without a
/// deadline.</param>
/// <param name="Window">The number of the window, among windows of that width.</param>
/// <param name="IsMain">Whether the records were read often enough in their first segment to stay longer.</param>
internal readonly record struct LogClass(byte Priority, byte Level, uint Window, bool IsMain)
{
    // The window is between a quarter and an eighth of the time that is left until the deadline, and at least 0.8 s
    // wide.
    private const int LevelMin = 4;
    private const int SharesShift = 3;

    /// <summary>The step at which all deadlines of the window have passed; without meaning for records without a
    /// deadline.</summary>
    public uint End => (Window + 1) << (Level - 1);

    /// <summary>The class of a record that is put at step <paramref name="now"/>.</summary>
    public static LogClass Of(byte priority, uint deadline, uint now)
    {
        if (deadline == 0)
            return new LogClass(priority, 0, 0, false);
        var left = (ulong)Math.Max(DeadlineSteps.OfRecords.Until(deadline, now), 1);
        var level = Math.Max(LevelMin, System.Numerics.BitOperations.Log2(left) - SharesShift + 2);
        return new LogClass(priority, (byte)level, deadline >> (level - 1), false);
    }

    /// <summary>Whether a record whose deadline changed may stay in a segment of this class, because the segment is
    /// swept in time.</summary>
    public bool MayHold(uint deadline) =>
        Level == 0
            ? deadline == 0
            : deadline == 0 || DeadlineSteps.OfRecords.Until(deadline, Window << (Level - 1)) >= 0;
}
