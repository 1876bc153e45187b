using System.Collections;
using System.Globalization;
using System.Net;
using System.Numerics;
using System.Text;
using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Every value of the framework, alone, in an object place, in arrays.</summary>
public sealed class ValueTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    [Trait("Case", "slim-A")]
    public void Integers_AtTheirEdges_ComeBack()
    {
        Check<byte>(0, 1, byte.MaxValue);
        Check<sbyte>(0, -1, sbyte.MinValue, sbyte.MaxValue);
        Check<short>(0, -1, short.MinValue, short.MaxValue);
        Check<ushort>(0, ushort.MaxValue);
        Check(0, 1, -1, int.MinValue, int.MaxValue);
        Check(0u, uint.MaxValue);
        Check(0L, -1L, long.MinValue, long.MaxValue);
        Check(0UL, ulong.MaxValue);
        Check(Int128.Zero, Int128.MinValue, Int128.MaxValue);
        Check(UInt128.Zero, UInt128.MaxValue);
        Check(BigInteger.Zero, BigInteger.MinusOne, BigInteger.Pow(3, 6000), -BigInteger.Pow(2, 127));
    }

    [Fact]
    [Trait("Case", "slim-A")]
    public void Floats_KeepEveryBit()
    {
        Check(0.0, -0.0, double.Epsilon, double.MaxValue, double.NegativeInfinity);
        Check(0f, -0f, float.Epsilon, float.MinValue);
        Check(Half.Zero, Half.MinValue, Half.Epsilon);
        Check(new Complex(1, -2));
        Check(new Vector3(1, 2, 3));
        double odd = BitConverter.Int64BitsToDouble(0x7FF8_0000_0000_1234);
        Assert.Equal(0x7FF8_0000_0000_1234, BitConverter.DoubleToInt64Bits(_slim.DeepClone(odd)));
        Assert.True(double.IsNegative(_slim.DeepClone(-0.0)));
    }

    [Fact]
    [Trait("Case", "slim-A")]
    public void Decimals_KeepScaleAndSign()
    {
        Check(0m, 1.0m, 1.00m, decimal.MinValue, decimal.MaxValue, new decimal(0, 0, 0, true, 28));
        Assert.Equal(decimal.GetBits(1.00m), decimal.GetBits(_slim.DeepClone(1.00m)));
        decimal negativeZero = new(0, 0, 0, true, 1);
        Assert.Equal(decimal.GetBits(negativeZero), decimal.GetBits(_slim.DeepClone(negativeZero)));
    }

    [Fact]
    [Trait("Case", "slim-A")]
    public void Dates_KeepKindAndOffset()
    {
        DateTime utc = new(2026, 3, 29, 2, 30, 0, DateTimeKind.Utc);
        foreach (DateTimeKind kind in Enum.GetValues<DateTimeKind>())
            Assert.Equal(kind, _slim.DeepClone(DateTime.SpecifyKind(utc, kind)).Kind);
        Check(utc, DateTime.MinValue, DateTime.MaxValue);
        Check(new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromMinutes(-345)), DateTimeOffset.MaxValue);
        DateTimeOffset east = new(1, 1, 2, 0, 0, 0, TimeSpan.FromHours(14));
        Assert.Equal(east.Offset, _slim.DeepClone(east).Offset);
        Check(TimeSpan.MinValue, TimeSpan.MaxValue, TimeSpan.Zero);
        Check(DateOnly.MinValue, DateOnly.MaxValue);
        Check(TimeOnly.MinValue, TimeOnly.MaxValue);
    }

    [Fact]
    public void SmallStructs_ComeBack()
    {
        Check(true, false);
        Check('a', '\0', '\uD800', '\uFFFF');
        Check(Guid.Empty, Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"));
        Check(new Rune(0x1F600), new Rune('a'));
        Check(new Index(3), ^0, ^5);
        Check(1..^2, ..);
        Check((1, "a"), (int.MaxValue, null!));
        Check(ValueTuple.Create(1, 2, 3, 4, 5, 6, 7, 8));
        Check(KeyValuePair.Create("k", 5));
    }

    [Theory]
    [InlineData("")]
    [InlineData("a")]
    [InlineData("plain ascii text")]
    [InlineData("Grüße")]
    [InlineData("漢字")]
    [InlineData("\0a\0")]
    [InlineData("\uD800")]
    [InlineData("\uDC00\uD800")]
    [Trait("Case", "slim-A")]
    public void Strings_ComeBack(string text)
    {
        Check(text);
        string big = string.Concat(Enumerable.Repeat(text + "x", 70_000));
        Assert.Equal(big, _slim.DeepClone(big));
    }

    [Fact]
    public void EmptyString_StaysTheSingleton()
    {
        Assert.Same(string.Empty, _slim.DeepClone(string.Empty));
        Assert.Null(_slim.DeepClone<string?>(null));
    }

    [Fact]
    public void Classes_ThatAreValues_ComeBack()
    {
        Check(new Version(1, 2), new Version(1, 2, 3), new Version(1, 2, 3, 4));
        Check(new Uri("https://example.org/a%20b?q=1#f"), new Uri("a/b", UriKind.Relative));
        Check(IPAddress.Loopback, IPAddress.IPv6Loopback, new IPAddress(IPAddress.IPv6Any.GetAddressBytes(), 7));
        Check(new IPEndPoint(IPAddress.Any, 65535));
        Check(CultureInfo.InvariantCulture);
        Check(typeof(int), typeof(string), typeof(List<int>));
        Assert.Equal("abc", _slim.DeepClone(new StringBuilder("abc")).ToString());
        BitArray bits = new([true, false, true, true, false, false, false, true, true]);
        Assert.Equal(bits.Cast<bool>(), _slim.DeepClone(bits).Cast<bool>());
    }

    [Fact]
    [Trait("Case", "slim-A")]
    public void Enums_OfEveryWidth_AndUndefinedValues_ComeBack()
    {
        Check(Tiny.A, (Tiny)200);
        Check(Huge.Max, (Huge)1);
        SlimSerializer slim = new(new SlimOptions().Allow<Tiny>());
        WithObject back = slim.DeepClone(new WithObject { Value = Tiny.A, Typed = Huge.Max });
        Assert.Equal((object)Tiny.A, back.Value);
        Assert.Equal(Huge.Max, back.Typed);
    }

    [Fact]
    [Trait("Case", "slim-B")]
    public void Nullables_ComeBack()
    {
        Assert.Null(_slim.DeepClone<int?>(null));
        Assert.Equal(5, _slim.DeepClone<int?>(5));
        Assert.Equal([1, null, 3], _slim.DeepClone(new int?[] { 1, null, 3 }));
        Assert.Equal([new Point(1, 2), null], _slim.DeepClone(new List<Point?> { new(1, 2), null }));
    }

    [Fact]
    [Trait("Case", "slim-B")]
    public void Structs_WithEveryKindOfField_ComeBack()
    {
        Mixed mixed = new() { Name = "n", Point = new Point(1, 2), Numbers = [1, 2], Empty = default, Flag = true };
        Mixed back = _slim.DeepClone(mixed);
        Assert.Equal(("n", new Point(1, 2), true), (back.Name, back.Point, back.Flag));
        Assert.Equal(mixed.Numbers, back.Numbers);
        Assert.Equal(3, _slim.DeepClone(new Nothing[3]).Length);
    }

    [Fact]
    [Trait("Case", "slim-D")]
    public void BoxedValue_ReferencedTwice_IsOneBoxAgain()
    {
        object box = new Point(3, 4);
        object[] back = _slim.DeepClone<Boxes>(new Boxes { Points = [new Point()], Items = [box, box] }).Items;
        Assert.Equal(new Point(3, 4), back[0]);
        Assert.Same(back[0], back[1]);
    }

    [Fact]
    public void Box_WhoseValueRefersToIt_ComesBackAsCycle()
    {
        object[] link = new object[1];
        object box = new SelfBox { Link = link };
        link[0] = box;
        object back = _slim.DeepClone<SelfHolder>(new SelfHolder { Box = box, Declared = new SelfBox() }).Box!;
        Assert.Same(back, ((SelfBox)back).Link![0]);
    }

    private static void Check<T>(params T[] values)
    {
        RoundTripMatrix.CheckEqual(values);
        RoundTripMatrix.CheckEqual(values.Select(value => new Holder<T>(value, value)).ToArray());
        RoundTripMatrix.Check(values, back => Assert.Equal(values, back));
        RoundTripMatrix.Check(values.ToList(), back => Assert.Equal(values, back));
    }

    private enum Tiny : byte
    {
        A = 1,
    }

    private enum Huge : ulong
    {
        Max = ulong.MaxValue,
    }

    private readonly record struct Point(int X, double Y);

    private readonly record struct Nothing;

    private sealed record Holder<T>(T Value, object? Boxed);

    private sealed class WithObject
    {
        public object Value = "";
        public Huge Typed;
    }

    private struct Mixed
    {
        public string Name;
        public Point Point;
        public int[] Numbers;
        public Nothing Empty;
        public bool Flag;
    }

    private sealed class Boxes
    {
        public object[] Items = [];
        public Point[] Points = [];
    }

    private struct SelfBox
    {
        public object[]? Link;
    }

    private sealed class SelfHolder
    {
        public object? Box;
        public SelfBox? Declared;
    }
}
