using System.Drawing;
using System.Text.RegularExpressions;
using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>The framework's small structs and the classes that are values, alone, in an object place, in
/// arrays.</summary>
[Trait("Case", "slim-A")]
public sealed class ValueTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void SmallStructs_ComeBack()
    {
        Check(true, false);
        Check(Guid.Empty, Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), Guid.AllBitsSet);
        Check(new Rune(0x1F600), new Rune('a'), new Rune(0), new Rune(0x10FFFF));
        Check(new Index(0), new Index(3), ^0, ^5, new Index(int.MaxValue));
        Check(1..^2, .., ^1..);
        Check((1, "a"), (int.MaxValue, null!));
        Check(ValueTuple.Create(1, 2, 3, 4, 5, 6, 7, 8));
        Check(KeyValuePair.Create("k", 5));
    }

    [Fact]
    public void VersionsAndUris_ComeBack()
    {
        Check(new Version(1, 2), new Version(1, 2, 3), new Version(1, 2, 3, 4), new Version(0, 0, 0, int.MaxValue));
        Uri[] uris =
        [
            new("https://example.org/a%20b?q=1#f"), new("https://user@example.org:8443/%C3%A4/ä"),
            new("a/b", UriKind.Relative), new("/a?b", UriKind.Relative), new("", UriKind.Relative),
            new("urn:isbn:0"), new("file:///tmp/a b"),
        ];
        Check(uris);
        foreach (var uri in uris)
        {
            RoundTripMatrix.Check(uri, back => Assert.Equal(
                (uri.OriginalString, uri.IsAbsoluteUri), (back.OriginalString, back.IsAbsoluteUri)));
        }
    }

    [Fact]
    public void UriOfAnotherKind_IsRefused()
    {
        var slim = new SlimSerializer();
        var message = slim.Serialize(new Uri("a/b", UriKind.Relative));
        // The message ends with the kind, the length and the three characters.
        message[^5] = 2;
        Assert.Contains(
            "kind", Assert.Throws<SlimMalformedException>(() => slim.Deserialize<Uri>(message)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Addresses_ComeBack()
    {
        Check(
            IPAddress.Any, IPAddress.Loopback, IPAddress.Broadcast, IPAddress.IPv6Loopback,
            IPAddress.Parse("2001:db8::1"), new IPAddress(IPAddress.IPv6Any.GetAddressBytes(), 7),
            new IPAddress(IPAddress.IPv6Any.GetAddressBytes(), uint.MaxValue));
        Check(new IPEndPoint(IPAddress.Any, 0), new IPEndPoint(IPAddress.IPv6Any, 65535));
    }

    [Fact]
    public void BitsAndBuilders_ComeBack()
    {
        foreach (var length in (int[])[0, 1, 7, 8, 9, 31, 32, 33, 1000])
        {
            BitArray bits = new([.. Enumerable.Range(0, length).Select(i => i % 3 == 0)]);
            RoundTripMatrix.Check(bits, back => Assert.Equal(bits.Cast<bool>(), back.Cast<bool>()));
        }

        StringBuilder builder = new(1, 100_000);
        RoundTripMatrix.Check(builder, back => Assert.Equal(0, back.Length));
        for (var i = 0; i < 5_000; i++)
            builder.Append(i % 7 == 0 ? "ß" : "text");
        RoundTripMatrix.Check(builder, back => Assert.Equal(builder.ToString(), back.ToString()));
        RoundTripMatrix.Check(new StringBuilder("a").Append('b'), back => Assert.Equal("abc", back.Append('c').ToString()));
    }

    [Fact]
    public void Types_OnTheList_ComeBack() => Check(typeof(int), typeof(string), typeof(List<int>), typeof(object[]));

    [Fact]
    public void Cultures_ComeBackByName()
    {
        CultureInfo[] cultures =
            [CultureInfo.InvariantCulture, CultureInfo.GetCultureInfo("de-DE"), CultureInfo.GetCultureInfo("tr-TR")];
        Check(cultures);
        foreach (var culture in cultures)
            RoundTripMatrix.Check(culture, back => Assert.Same(culture, back));
        RoundTripMatrix.Check(new CultureInfo("fr-FR"), back => Assert.Equal("fr-FR", back.Name));
    }

    [Fact]
    public void Culture_WithFormatsOfItsOwn_IsRefused()
    {
        CultureInfo numbers = new("de-DE") { NumberFormat = { NumberDecimalSeparator = "~" } };
        CultureInfo dates = new("de-DE") { DateTimeFormat = { ShortDatePattern = "yy" } };
        CultureInfo names = new("de-DE");
        names.DateTimeFormat.DayNames = ["a", "b", "c", "d", "e", "f", "g"];
        var invariant = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        invariant.NumberFormat.NumberGroupSizes = [1];
        foreach (var culture in (CultureInfo[])[numbers, dates, names, invariant])
        {
            var message = Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize(culture)).Message;
            Assert.Contains("differs from the system's culture", message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Colors_StayWhatTheyWereMadeOf()
    {
        Check(
            Color.Empty, Color.Red, Color.Transparent, SystemColors.Control, Color.FromArgb(255, 0, 0),
            Color.FromArgb(0), Color.FromArgb(1, 2, 3, 4), Color.FromName("of my own"), Color.RebeccaPurple);
        RoundTripMatrix.Check(Color.Red, back => Assert.True(back.IsKnownColor));
        foreach ((var distance, var value) in ((int, byte)[])[(6, 4), (6, 0), (6, 3), (5, 0xFF), (1, 1)])
        {
            var message = _slim.Serialize(Color.Red);
            message[^distance] = value;
            Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<Color>(message));
        }
    }

    [Fact]
    public void PointsAndRectangles_ComeBack()
    {
        Check(new Point(1, -2), Point.Empty);
        Check(new PointF(1, float.MaxValue));
        Check(new Size(int.MaxValue, int.MinValue));
        Check(new SizeF(1.5f, -0f));
        Check(new Rectangle(1, 2, 3, 4));
        Check(new RectangleF(1, 2, 3, float.Epsilon));
    }

    // Matching a pattern from a message would run a program that its sender wrote, for as long as the sender likes.
    [Fact]
    public void RegularExpressions_AreRefused()
    {
        var message = Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize(new Regex("a+"))).Message;
        Assert.Contains("a pattern is a program", message, StringComparison.Ordinal);
        Assert.Null(_slim.DeepClone(new Holder<Regex?>(null, null)).Value);
    }

    private static void Check<T>(params T[] values)
    {
        RoundTripMatrix.CheckEqual(values);
        RoundTripMatrix.CheckEqual(values.Select(value => new Holder<T>(value, value)).ToArray());
        RoundTripMatrix.Check(values, back => Assert.Equal(values, back));
        RoundTripMatrix.Check(values.ToList(), back => Assert.Equal(values, back));
    }

    private sealed record Holder<T>(T Value, object? Boxed);
}
