using Cluster.Slim.Messages;
using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Numbers keep every bit, alone, boxed, in fields, arrays and lists.</summary>
[Trait("Case", "slim-A")]
public sealed class NumberTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void Integers_AtTheirEdges_ComeBack()
    {
        CheckEdges<byte>();
        CheckEdges<sbyte>();
        CheckEdges<short>();
        CheckEdges<ushort>();
        CheckEdges<int>();
        CheckEdges<uint>();
        CheckEdges<long>();
        CheckEdges<ulong>();
        CheckEdges<Int128>();
        CheckEdges<UInt128>();
        CheckEdges<char>();
    }

    [Fact]
    public void Floats_KeepEveryBit()
    {
        ulong[] doubles = [0x7FF8_0000_0000_1234, 0xFFF8_0000_0000_0001, 0x7FF0_0000_0000_0001, 0x000F_FFFF_FFFF_FFFF];
        Check([
            .. doubles.Select(BitConverter.UInt64BitsToDouble), 0.0, -0.0, 1, -1, double.Epsilon, -double.Epsilon,
            double.MaxValue, double.MinValue, double.PositiveInfinity, double.NegativeInfinity, double.NaN,
        ]);
        uint[] singles = [0x7FC0_1234, 0xFFC0_0001, 0x7F80_0001, 0x007F_FFFF];
        Check([
            .. singles.Select(BitConverter.UInt32BitsToSingle), 0f, -0f, 1, -1, float.Epsilon, -float.Epsilon,
            float.MaxValue, float.MinValue, float.PositiveInfinity, float.NegativeInfinity, float.NaN,
        ]);
        ushort[] halves = [0x7E12, 0xFE01, 0x7C01, 0x03FF];
        Check([
            .. halves.Select(BitConverter.UInt16BitsToHalf), Half.Zero, Half.NegativeZero, Half.One, Half.Epsilon,
            Half.MaxValue, Half.MinValue, Half.PositiveInfinity, Half.NegativeInfinity, Half.NaN,
        ]);
        Check([new Complex(1, -2), new Complex(double.NaN, -0.0), Complex.Infinity]);
        Check([new Vector3(1, -0f, float.NaN)]);
        Check([new Quaternion(1, 2, 3, float.Epsilon)]);
        Check([Matrix4x4.Identity * 3, new Matrix4x4()]);
    }

    [Fact]
    public void Decimals_KeepScaleAndSign()
    {
        Check([
            0m, 0.0m, 0.00m, 1m, 1.0m, 1.00m, -1m, decimal.MinValue, decimal.MaxValue, 0.0000000000000000000000000001m,
            new decimal(0, 0, 0, true, 0), new decimal(0, 0, 0, true, 1), new decimal(0, 0, 0, true, 28),
            .. Enumerable.Range(0, 29).Select(scale => new decimal(1, 2, 3, (scale & 1) == 1, (byte)scale)),
        ]);
    }

    [Fact]
    public void BigIntegers_OfEveryLength_ComeBack()
    {
        var large = BigInteger.Pow(2, 10_000);
        RoundTripMatrix.CheckEqual(
            BigInteger.Zero, BigInteger.One, BigInteger.MinusOne, 127, 128, -128, -129, 255, 256, large, -large,
            large - 1, BigInteger.Pow(3, 6_000));
        BigInteger[] powers = [.. Enumerable.Range(0, 130).Select(i => BigInteger.Pow(2, i))];
        RoundTripMatrix.Check(powers, back => Assert.Equal(powers, back));
    }

    [Fact]
    public void VariableNumbers_AroundEveryLength_ComeBack()
    {
        uint[] edges =
        [
            0, 1, .. Enumerable.Range(1, 4).SelectMany(k => (uint[])[(1u << (7 * k)) - 1, 1u << (7 * k), (1u << (7 * k)) + 1]),
            int.MaxValue, uint.MaxValue - 1, uint.MaxValue,
        ];
        SlimSerializer slim = new(new SlimOptions().AddCodec(new VariableCodec()));
        foreach (var edge in edges)
        {
            var bytes = slim.Serialize(new Variable(edge)).Length - slim.Serialize(new Variable(0)).Length + 1;
            Assert.Equal(Math.Max(1, (BitOperations.Log2(edge) / 7) + 1), bytes);
            Assert.Equal(edge, slim.DeepClone(new Variable(edge)).Value);
        }
    }

    [Theory]
    [InlineData(1 << 7)]
    [InlineData(1 << 14)]
    [InlineData(1 << 21)]
    public void Counts_AroundAnEdge_ComeBack(int edge)
    {
        for (var count = edge - 1; count <= edge + 1; count++)
        {
            byte[] bytes = [.. Enumerable.Range(0, count).Select(i => (byte)i)];
            Assert.True(bytes.AsSpan().SequenceEqual(_slim.DeepClone(bytes)));
            List<byte> list = [.. bytes];
            Assert.True(bytes.AsSpan().SequenceEqual(CollectionsMarshal.AsSpan(_slim.DeepClone(list))));
        }
    }

    // A reference is its handle plus three, so each edge lies three handles before the power of two.
    [Theory]
    [InlineData((1 << 7) - 3)]
    [InlineData((1 << 14) - 3)]
    public void Handles_AroundAnEdge_AreFound(int edge) => CheckHandles(edge);

    [Theory]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    [InlineData((1 << 21) - 3)]
    public void ManyHandles_AroundAnEdge_AreFound(int edge) => CheckHandles(edge);

    private static void CheckHandles(int edge)
    {
        SlimSerializer slim = new(new SlimOptions { Limits = { MaxGraphBytes = 1 << 29 } });
        var source = new object[edge + 6];
        for (var i = 0; i < edge + 3; i++)
            source[i] = new object();

        // The array has handle 0, so element i has handle i + 1.
        for (var i = 0; i < 3; i++)
            source[edge + 3 + i] = source[edge - 2 + i];
        var back = slim.DeepClone(source);
        for (var i = 0; i < 3; i++)
            Assert.Same(back[edge - 2 + i], back[edge + 3 + i]);
        Assert.NotSame(back[edge - 2], back[edge - 1]);
    }

    private static void CheckEdges<T>()
        where T : unmanaged, IBinaryInteger<T>, IMinMaxValue<T>
    {
        var one = T.One;
        Check([T.Zero, one, T.Zero - one, T.MinValue, T.MaxValue, T.MinValue + one, T.MaxValue - one]);
    }

    private static void Check<T>(T[] values)
        where T : unmanaged
    {
        RoundTripMatrix.Check(values, back => SameBits(values, back));
        RoundTripMatrix.Check(values.ToList(), back => SameBits(values, CollectionsMarshal.AsSpan(back)));
        foreach (var value in values)
            RoundTripMatrix.Check(value, back => SameBits([value], [back]));
        Boxes<T> boxes = new(values[0], [.. values.Cast<object>()]);
        RoundTripMatrix.Check(boxes, back => SameBits(values, back.Items.Cast<T>().ToArray()));
        T?[] nullable = [null, .. values.Cast<T?>()];
        RoundTripMatrix.Check(nullable, back =>
        {
            Assert.Null(back[0]);
            SameBits(values, back.Skip(1).Select(v => v!.Value).ToArray());
        });
    }

    private static void SameBits<T>(ReadOnlySpan<T> expected, ReadOnlySpan<T> actual)
        where T : unmanaged =>
        Assert.Equal(HexOf(expected), HexOf(actual));

    private static string HexOf<T>(ReadOnlySpan<T> values)
        where T : unmanaged =>
        Convert.ToHexString(MemoryMarshal.AsBytes(values)) + "/" + Unsafe.SizeOf<T>();

    private sealed record Boxes<T>(T Declared, object[] Items);

    private readonly record struct Variable(uint Value);

    private sealed class VariableCodec : SlimCodec<Variable>
    {
        public override void Write(SlimWriter writer, Variable value) => writer.WriteVar(value.Value);

        public override Variable Create(SlimReader reader) => new(reader.ReadVar());
    }
}
