using Cluster.Slim.Errors;

namespace Cluster.Slim.Codecs.Cultures;

/// <summary>Converts the rules of a time zone to numbers and back: first the offset from UTC in ticks, then six numbers
/// for each rule. These are first and last day, daylight saving and further offset, in ticks, and the two changes of
/// the year. A change is one number with these bits: 0 to 39 time of day, 40 to 43 month, 44 to 48 day, 49 to 51 week,
/// 52 to 54 day of the week, 55 fixed day.</summary>
internal static class TimeZoneRules
{
    public const int NumbersPerRule = 6;
    private const int MonthShift = 40;
    private const int DayShift = 44;
    private const int WeekShift = 49;
    private const int DayOfWeekShift = 52;
    private const int FixedShift = 55;
    private const int EndShift = 56;

    public static long[] NumbersOf(TimeZoneInfo zone) =>
        [zone.BaseUtcOffset.Ticks, .. zone.GetAdjustmentRules().SelectMany(NumbersOf)];

    /// <summary>Builds the rules; throws the framework's exception for numbers that are not valid.</summary>
    public static TimeZoneInfo.AdjustmentRule[] Build(ReadOnlySpan<long> numbers)
    {
        if (numbers.Length % NumbersPerRule != 0)
            Throw.Malformed("A time zone ends in the middle of a rule.");
        var rules = new TimeZoneInfo.AdjustmentRule[numbers.Length / NumbersPerRule];
        for (var i = 0; i < rules.Length; i++)
        {
            var rule = numbers.Slice(i * NumbersPerRule, NumbersPerRule);
            rules[i] = TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
                new DateTime(rule[0]), new DateTime(rule[1]), new TimeSpan(rule[2]), Change(rule[4]), Change(rule[5]),
                new TimeSpan(rule[3]));
        }

        return rules;
    }

    public static long[] NumbersOf(TimeZoneInfo.AdjustmentRule rule) =>
    [
        rule.DateStart.Ticks, rule.DateEnd.Ticks, rule.DaylightDelta.Ticks, rule.BaseUtcOffsetDelta.Ticks,
        NumberOf(rule.DaylightTransitionStart), NumberOf(rule.DaylightTransitionEnd),
    ];

    public static long NumberOf(TimeZoneInfo.TransitionTime change) =>
        change.TimeOfDay.TimeOfDay.Ticks | ((long)change.Month << MonthShift) | ((long)change.Day << DayShift)
        | ((long)change.Week << WeekShift) | ((long)change.DayOfWeek << DayOfWeekShift)
        | ((change.IsFixedDateRule ? 1L : 0L) << FixedShift);

    public static TimeZoneInfo.TransitionTime Change(long number)
    {
        if (number >> EndShift != 0)
            Throw.Malformed("A rule of a time zone has unknown bits.");
        DateTime time = new(Part(number, 0, MonthShift));
        var month = (int)Part(number, MonthShift, DayShift);
        return Part(number, FixedShift, EndShift) == 1
            ? TimeZoneInfo.TransitionTime.CreateFixedDateRule(time, month, (int)Part(number, DayShift, WeekShift))
            : TimeZoneInfo.TransitionTime.CreateFloatingDateRule(
                time,
                month,
                (int)Part(number, WeekShift, DayOfWeekShift),
                (DayOfWeek)Part(number, DayOfWeekShift, FixedShift));
    }

    private static long Part(long number, int from, int to) => (number >> from) & ((1L << (to - from)) - 1);
}
