using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Dates and times keep ticks, kind and offset, whatever zone the machine is in.</summary>
[Trait("Case", "slim-A")]
public sealed class TimeTests
{
    [Fact]
    public void Dates_KeepTicksAndKind()
    {
        DateTime[] dates =
        [
            DateTime.MinValue, DateTime.MaxValue, DateTime.UnixEpoch, new DateTime(2026, 3, 29, 2, 30, 0),
            new DateTime(1), new DateTime(2024, 2, 29, 23, 59, 59, 999, 999),
        ];
        DateTime[] ofAllKinds =
            [.. dates.SelectMany(d => Enum.GetValues<DateTimeKind>().Select(kind => DateTime.SpecifyKind(d, kind)))];
        foreach (var date in ofAllKinds)
            RoundTripMatrix.Check(date, back => Same(date, back));
        RoundTripMatrix.Check(ofAllKinds, back => Assert.All(ofAllKinds.Zip(back), pair => Same(pair.First, pair.Second)));
    }

    // In the hour that a clock repeats, a local time remembers in its fourth kind that it is the first round.
    [Fact]
    public void LocalTime_OfTheRepeatedHour_KeepsWhichOne()
    {
        var ticks = new DateTime(2026, 10, 25, 2, 30, 0).Ticks;
        var first = Unsafe.BitCast<ulong, DateTime>((ulong)ticks | (3UL << 62));
        DateTime second = new(ticks, DateTimeKind.Local);
        Assert.Equal(DateTimeKind.Local, first.Kind);
        RoundTripMatrix.Check((first, second), back =>
        {
            Same(first, back.first);
            Same(second, back.second);
        });
        RoundTripMatrix.Check(new object[] { first }, back => Same(first, (DateTime)back[0]));
    }

    [Fact]
    public void DatesWithOffset_KeepTimeAndOffset()
    {
        DateTimeOffset[] dates =
        [
            DateTimeOffset.MinValue, DateTimeOffset.MaxValue, DateTimeOffset.UnixEpoch,
            new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromMinutes(-345)),
            new DateTimeOffset(1, 1, 2, 0, 0, 0, TimeSpan.FromHours(14)),
            new DateTimeOffset(9999, 12, 31, 0, 0, 0, TimeSpan.FromHours(-14)),
        ];
        foreach (var date in dates)
            RoundTripMatrix.Check(date, back => Assert.True(date.EqualsExact(back)));
        RoundTripMatrix.Check(dates, back => Assert.All(dates.Zip(back), p => Assert.True(p.First.EqualsExact(p.Second))));
    }

    [Fact]
    public void SpansDaysAndTimes_AtTheirEdges_ComeBack()
    {
        RoundTripMatrix.CheckEqual(TimeSpan.MinValue, TimeSpan.MaxValue, TimeSpan.Zero, new TimeSpan(-1));
        RoundTripMatrix.CheckEqual(DateOnly.MinValue, DateOnly.MaxValue, new DateOnly(2024, 2, 29));
        RoundTripMatrix.CheckEqual(TimeOnly.MinValue, TimeOnly.MaxValue, new TimeOnly(12, 30));
        RoundTripMatrix.CheckEqual<object>(TimeSpan.MinValue, DateOnly.MaxValue, TimeOnly.MaxValue);
    }

    private static void Same(DateTime expected, DateTime actual) => Assert.Equal(
        Unsafe.BitCast<DateTime, ulong>(expected), Unsafe.BitCast<DateTime, ulong>(actual));
}
