using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Acceptance case A: time zones of the system by name, made-up ones by their rules.</summary>
[Trait("Case", "slim-A")]
public sealed class TimeZoneTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void ZonesOfTheSystem_ComeBackByTheirName()
    {
        RoundTripMatrix.Check(TimeZoneInfo.Utc, back => Assert.Same(TimeZoneInfo.Utc, back));
        RoundTripMatrix.CheckEqual(TimeZoneInfo.Local);
        foreach (var zone in TimeZoneInfo.GetSystemTimeZones().Take(50))
            Assert.Equal(zone, _slim.DeepClone(zone));
    }

    [Fact]
    public void MadeUpZone_KeepsNamesAndRules()
    {
        var spring = TimeZoneInfo.TransitionTime.CreateFloatingDateRule(
            new DateTime(1, 1, 1, 2, 30, 0).AddMilliseconds(5), 3, 5, DayOfWeek.Sunday);
        var autumn = TimeZoneInfo.TransitionTime.CreateFixedDateRule(
            new DateTime(1, 1, 1, 3, 0, 0), 10, 31);
        var zone = TimeZoneInfo.CreateCustomTimeZone(
            "Own/Zone [;\\]",
            TimeSpan.FromMinutes(-337),
            "display",
            "standard",
            "daylight",
            [
                TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
                    DateTime.MinValue.Date, new DateTime(1999, 12, 31), TimeSpan.FromMinutes(90), spring, autumn),
                TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
                    new DateTime(2000, 1, 1),
                    DateTime.MaxValue.Date,
                    TimeSpan.FromMinutes(60),
                    spring,
                    autumn,
                    TimeSpan.FromMinutes(15)),
            ]);
        RoundTripMatrix.Check(zone, back =>
        {
            Assert.True(zone.HasSameRules(back));
            Assert.Equal(
                (zone.Id, zone.DisplayName, zone.StandardName, zone.DaylightName),
                (back.Id, back.DisplayName, back.StandardName, back.DaylightName));
            for (DateTime at = new(1998, 1, 1, 12, 0, 0, DateTimeKind.Utc); at.Year < 2003; at = at.AddDays(1))
                Assert.Equal(zone.GetUtcOffset(at), back.GetUtcOffset(at));
        });
    }

    [Fact]
    public void MadeUpZone_WithoutRules_ComesBack()
    {
        var zone = TimeZoneInfo.CreateCustomTimeZone("Own", TimeSpan.FromMinutes(7), "d", "s");
        var back = _slim.DeepClone(zone);
        Assert.Equal(zone, back);
        Assert.False(back.SupportsDaylightSavingTime);
        var shadow = TimeZoneInfo.CreateCustomTimeZone("Europe/Berlin", TimeSpan.FromMinutes(7), "d", "s");
        Assert.Equal(TimeSpan.FromMinutes(7), _slim.DeepClone(shadow).BaseUtcOffset);
    }

    [Fact]
    public void DamagedRules_AreRefused()
    {
        var zone = TimeZoneInfo.CreateCustomTimeZone("Own", TimeSpan.FromMinutes(7), "d", "s");
        var message = _slim.Serialize(zone);
        message[^1] = 0x7F;
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<TimeZoneInfo>(message));
        byte[] twoNumbers = [.. _slim.Serialize(zone), .. new byte[8]];
        twoNumbers[^17] = 2;
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<TimeZoneInfo>(twoNumbers));
    }

    [Fact]
    public void NameThatIsNone_IsRefused()
    {
        var forged = _slim.Serialize(TimeZoneInfo.Utc);
        Encoding.ASCII.GetBytes("../", forged.AsSpan(forged.AsSpan().LastIndexOf("UTC"u8)));
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<TimeZoneInfo>(forged));
    }
}
