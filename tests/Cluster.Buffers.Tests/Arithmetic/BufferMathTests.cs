using Cluster.Buffers.Arithmetic;
using Xunit.Abstractions;

namespace Cluster.Buffers.Tests.Arithmetic;

/// <summary>Arithmetic over arrays against loops over scalars, for all types of numbers and tails.</summary>
public sealed class BufferMathTests(ITestOutputHelper output)
{
    private readonly ITestOutputHelper _output = output;

    // Around the widths of vectors, of the blocks of comparisons (32) and those of wide sums (512).
    private static IEnumerable<int> Lengths => Enumerable.Range(0, 131).Concat([255, 256, 257, 511, 512, 513, 1025]);

    [Fact]
    public void Bytes_AgreeWithScalars() => CheckAll<byte>();

    [Fact]
    public void SignedBytes_AgreeWithScalars() => CheckAll<sbyte>();

    [Fact]
    public void Shorts_AgreeWithScalars() => CheckAll<short>();

    [Fact]
    public void UnsignedShorts_AgreeWithScalars() => CheckAll<ushort>();

    [Fact]
    public void Integers_AgreeWithScalars() => CheckAll<int>();

    [Fact]
    public void UnsignedIntegers_AgreeWithScalars() => CheckAll<uint>();

    [Fact]
    public void Longs_AgreeWithScalars() => CheckAll<long>();

    [Fact]
    public void UnsignedLongs_AgreeWithScalars() => CheckAll<ulong>();

    [Fact]
    public void Halves_AgreeWithScalars() => CheckAll<Half>();

    [Fact]
    public void Singles_AgreeWithScalars() => CheckAll<float>();

    [Fact]
    public void Doubles_AgreeWithScalars() => CheckAll<double>();

    [Fact]
    public void SquareRoots_AgreeWithScalars()
    {
        CheckRoots<Half>();
        CheckRoots<float>();
        CheckRoots<double>();
    }

    [Fact]
    public void Array_LongerThanOnePart_IsCalculatedWhole()
    {
        const int Length = (2 * Elementwise.PartCountMax) + 5;
        using HugeArray<byte> x = new(Length);
        using HugeArray<byte> y = new(Length);
        using HugeArray<byte> into = new(Length);
        using HugeArray<bool> marks = new(Length);
        x.Fill(3);
        y.Fill(2);
        x.Add(y, into);
        x.MultiplyAdd(y, into, into);                       // 3 * 2 + (3 + 2)
        Assert.False(into.AsSpan(0, Length).ContainsAnyExcept((byte)11));
        x.AddMultiply((byte)4, y, into);                        // (3 + 4) * 2
        Assert.False(into.AsSpan(0, Length).ContainsAnyExcept((byte)14));
        into[Length - 1] = 255;
        into[Elementwise.PartCountMax] = 1;
        Assert.Equal((255, 1), (into.Max(), into.Min()));
        Assert.Equal((14L * (Length - 2)) + 256, into.WideSum<byte, long>());
        Assert.Equal(1, into.CountWhere(BufferComparison.Greater, (byte)14));
        Assert.Equal(2, into.CountWhere(BufferComparison.NotEqual, (byte)14));
        Assert.Equal(Length - 1, into.CountWhere(BufferComparison.Greater, y));
        into.Compare(BufferComparison.Less, y, marks);
        Assert.Equal(Elementwise.PartCountMax, marks.AsSpan(0, Length).IndexOf(true));
        Assert.Equal(Elementwise.PartCountMax, marks.AsSpan(0, Length).LastIndexOf(true));
        Assert.Equal(unchecked((byte)(6 * Length)), x.Dot(y));
        into.CopyTo(x);
        Assert.True(into.AsSpan(0, Length).SequenceEqual(x.AsSpan(0, Length)));
    }

    [Fact]
    public void Lengths_ThatDiffer_AreRefusedWithBoth()
    {
        using SafeArray<int> three = new([1, 2, 3]);
        using SafeArray<int> four = new([1, 2, 3, 4]);
        using SafeArray<bool> marks = new(3);
        Action[] calls =
        [
            () => three.Add(four, three),
            () => three.Add(1, four),
            () => three.CopyTo(four),
            () => three.MultiplyAdd(three, three, four),
            () => three.MultiplyAdd(three, four, three),
            () => three.MultiplyAdd(2, four, three),
            () => three.AddMultiply(four, 2, three),
            () => three.Dot(four),
            () => four.Compare(BufferComparison.Less, 1, marks),
            () => three.Compare(BufferComparison.Less, four, marks),
            () => three.CountWhere(BufferComparison.Less, four),
        ];
        foreach (var call in calls)
        {
            var refusal = Assert.Throws<ArgumentException>(call);
            Assert.Contains("3", refusal.Message, StringComparison.Ordinal);
            Assert.Contains("4", refusal.Message, StringComparison.Ordinal);
        }

        Assert.Equal([1, 2, 3, 4], four.ToArray());
        Assert.Throws<ArgumentOutOfRangeException>(() => three.CountWhere((BufferComparison)6, 1));
    }

    [Fact]
    public void Array_Disposed_IsRefused()
    {
        using SafeArray<double> live = new(4);
        SafeArray<double> dead = new(4);
        dead.Dispose();
        Action[] calls =
        [
            () => dead.Fill(1),
            () => dead.AddInPlace(1),
            () => live.Add(dead, live),
            () => live.CopyTo(dead),
            () => dead.SqrtInPlace(),
            () => live.MultiplyAdd(live, dead, live),
            () => dead.Sum(),
            () => live.Dot(dead),
            () => dead.Min(),
            () => dead.CountWhere(BufferComparison.Less, 1),
        ];
        foreach (var call in calls)
            Assert.Throws<ObjectDisposedException>(call);
    }

    [Fact]
    public void EmptyArray_HasSumButNeitherLeastNorGreatest()
    {
        using SafeArray<int> empty = new(0);
        Assert.Equal(0, empty.Sum());
        Assert.Equal(0L, empty.WideSum<int, long>());
        Assert.Equal(0, empty.CountWhere(BufferComparison.Equal, 0));
        Assert.Throws<ArgumentException>(() => empty.Min());
        Assert.Throws<ArgumentException>(() => empty.Max());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(40)]
    public void IntegerDivision_ByZeroOrBeyondRange_Throws(int length)
    {
        using SafeArray<int> x = new(length);
        using SafeArray<int> y = new(length);
        using SafeArray<long> longs = new(length);
        x.Fill(int.MinValue);
        longs.Fill(long.MinValue);
        Assert.Throws<DivideByZeroException>(() => x.Divide(y, x));
        Assert.Throws<DivideByZeroException>(() => x.Divide(0, x));
        Assert.Throws<OverflowException>(() => x.Divide(-1, x));
        Assert.Throws<OverflowException>(() => longs.DivideInPlace(-1));
    }

    [Fact]
    public void Integers_OnOverflow_WrapAroundAndWideSumsDoNot()
    {
        using SafeArray<byte> bytes = new(1000);
        bytes.Fill(200);
        Assert.Equal(unchecked((byte)200_000), bytes.Sum());
        Assert.Equal(200_000, bytes.WideSum<byte, int>());
        bytes.MultiplyInPlace((byte)2);
        Assert.Equal((144, 144), (bytes.Min(), bytes.Max()));
        using SafeArray<int> integers = new([1, -1]);
        Assert.Throws<OverflowException>(() => integers.WideSum<int, uint>());
    }

    [Fact]
    public void NaN_SpreadsIntoLeastGreatestAndSums()
    {
        using SafeArray<float> numbers = new(100);
        numbers[77] = float.NaN;
        Assert.True(float.IsNaN(numbers.Min()) && float.IsNaN(numbers.Max()) && float.IsNaN(numbers.Sum()));
        Assert.Equal(99, numbers.CountWhere(BufferComparison.Equal, numbers));
        Assert.Equal(1, numbers.CountWhere(BufferComparison.NotEqual, numbers));
        Assert.Equal(0, numbers.CountWhere(BufferComparison.GreaterOrEqual, float.NaN));
        using SafeArray<double> zeros = new([0.0, -0.0]);
        Assert.True(double.IsNegative(zeros.Min()) && double.IsPositive(zeros.Max()));
    }

    private void CheckAll<T>()
        where T : unmanaged, INumber<T>
    {
        var seed = Environment.TickCount;
        _output.WriteLine($"seed {seed}");
        ArithmeticModel<T> model = new(seed);
        foreach (var length in Lengths)
        {
            model.CheckElementwise(length);
            model.CheckDivision(length);
            model.CheckInPlace(length);
            model.CheckFused(length);
            model.CheckReductions(length);
            model.CheckComparisons(length);
        }
    }

    private void CheckRoots<T>()
        where T : unmanaged, INumber<T>, IRootFunctions<T>
    {
        var seed = Environment.TickCount;
        _output.WriteLine($"seed {seed}");
        foreach (var length in Lengths)
        {
            var values = new ArithmeticModel<T>(seed).Wild(length);
            using SafeArray<T> source = new(values);
            using SafeArray<T> into = new(length);
            source.Sqrt(into);
            source.SqrtInPlace();
            for (var i = 0; i < length; i++)
            {
                Assert.Equal(T.Sqrt(values[i]), into[i]);
                Assert.Equal(into[i], source[i]);
            }
        }
    }
}
