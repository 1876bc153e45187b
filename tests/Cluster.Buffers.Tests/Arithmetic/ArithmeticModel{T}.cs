using Cluster.Buffers.Arithmetic;

namespace Cluster.Buffers.Tests.Arithmetic;

/// <summary>Holds what arrays of one element type calculate against a loop over scalars, element by element.</summary>
internal sealed class ArithmeticModel<T>(int seed)
    where T : unmanaged, INumber<T>
{
    private static readonly bool IsFloat = T.CreateTruncating(0.5) != T.Zero;

    private readonly Random _random = new(seed);

    /// <summary>Any bits: borders, overflow, NaN, infinities, subnormal numbers.</summary>
    public T[] Wild(int length)
    {
        var values = new T[length];
        _random.NextBytes(MemoryMarshal.AsBytes(values.AsSpan()));
        return values;
    }

    /// <summary>Small whole numbers, so that floating point is exact whatever the order of additions.</summary>
    public T[] Tame(int length, int least = 0) =>
        [.. Enumerable.Range(0, length).Select(_ => T.CreateChecked(_random.Next(least, 9)))];

    public void CheckElementwise(int length)
    {
        var (a, b) = (Wild(length), Wild(length));
        var value = length == 0 ? T.One : a[length / 2];
        using SafeArray<T> x = new(a);
        using SafeArray<T> y = new(b);
        using SafeArray<T> into = new(length);
        x.Add(y, into);
        Check("a + b", into, i => a[i] + b[i]);
        x.Add(value, into);
        Check("a + v", into, i => a[i] + value);
        x.Subtract(y, into);
        Check("a - b", into, i => a[i] - b[i]);
        x.Subtract(value, into);
        Check("a - v", into, i => a[i] - value);
        x.Multiply(y, into);
        Check("a * b", into, i => a[i] * b[i]);
        x.Multiply(value, into);
        Check("a * v", into, i => a[i] * value);
        x.CopyTo(into);
        Check("copy", into, i => a[i]);
        into.Fill(value);
        Check("fill", into, _ => value);
    }

    public void CheckDivision(int length)
    {
        var (a, b) = (Wild(length), Tame(length, least: 1));
        using SafeArray<T> x = new(a);
        using SafeArray<T> y = new(b);
        using SafeArray<T> into = new(length);
        x.Divide(y, into);
        Check("a / b", into, i => a[i] / b[i]);
        x.Divide(T.CreateChecked(3), into);
        Check("a / 3", into, i => a[i] / T.CreateChecked(3));
        x.DivideInPlace(y);
        x.DivideInPlace(T.CreateChecked(2));
        Check("a / b / 2", x, i => a[i] / b[i] / T.CreateChecked(2));
    }

    public void CheckInPlace(int length)
    {
        var (a, b) = (Wild(length), Wild(length));
        var three = T.CreateChecked(3);
        using SafeArray<T> x = new(a);
        using SafeArray<T> y = new(b);
        x.AddInPlace(y);
        x.SubtractInPlace(three);
        Check("a + b - 3", x, i => a[i] + b[i] - three);
        x.CopyFrom(a);
        x.MultiplyInPlace(three);
        x.AddInPlace(three);
        Check("a * 3 + 3", x, i => (a[i] * three) + three);
        x.CopyFrom(a);
        x.MultiplyInPlace(y);
        x.SubtractInPlace(y);
        Check("a * b - b", x, i => (a[i] * b[i]) - b[i]);
    }

    public void CheckFused(int length)
    {
        var (a, b, c) = (Tame(length), Tame(length), Tame(length));
        var two = T.CreateChecked(2);
        using SafeArray<T> x = new(a);
        using SafeArray<T> y = new(b);
        using SafeArray<T> z = new(c);
        using SafeArray<T> into = new(length);
        x.MultiplyAdd(y, z, into);
        Check("a * b + c", into, i => (a[i] * b[i]) + c[i]);
        x.MultiplyAdd(two, z, into);
        Check("a * 2 + c", into, i => (a[i] * two) + c[i]);
        x.MultiplyAdd(y, two, into);
        Check("a * b + 2", into, i => (a[i] * b[i]) + two);
        x.AddMultiply(y, z, into);
        Check("(a + b) * c", into, i => (a[i] + b[i]) * c[i]);
        x.AddMultiply(two, z, into);
        Check("(a + 2) * c", into, i => (a[i] + two) * c[i]);
        x.AddMultiply(y, two, z);
        Check("(a + b) * 2", z, i => (a[i] + b[i]) * two);
    }

    public void CheckReductions(int length)
    {
        var (a, b) = IsFloat ? (Tame(length), Tame(length)) : (Wild(length), Wild(length));
        using SafeArray<T> x = new(a);
        using SafeArray<T> y = new(b);
        var all = Enumerable.Range(0, length);
        CheckSame("sum", length, Total(all.Select(i => (a[i], T.One))), x.Sum());
        CheckSame("sum of squares", length, Total(all.Select(i => (a[i], a[i]))), x.SumOfSquares());
        CheckSame("dot", length, Total(all.Select(i => (a[i], b[i]))), x.Dot(y));
        var wide = a.Aggregate(Int128.Zero, (sum, element) => sum + Int128.CreateChecked(element));
        Assert.Equal(wide, x.WideSum<T, Int128>());
        Assert.Equal((double)wide, x.WideSum<T, double>(), Math.Abs((double)wide) * 1e-9);
        if (length > 0)
        {
            x.CopyFrom(a = Wild(length));
            CheckSame("min", length, a.Aggregate(T.Min), x.Min());
            CheckSame("max", length, a.Aggregate(T.Max), x.Max());
        }
    }

    public void CheckComparisons(int length)
    {
        var (a, b) = (Tame(length), Tame(length));
        if (IsFloat && length > 1)
            a[length - 1] = b[length / 2] = T.CreateTruncating(double.NaN);
        var value = length == 0 ? T.One : b[0];
        CheckComparison(BufferComparison.Equal, a, b, value, (x, y) => x == y);
        CheckComparison(BufferComparison.NotEqual, a, b, value, (x, y) => x != y);
        CheckComparison(BufferComparison.Less, a, b, value, (x, y) => x < y);
        CheckComparison(BufferComparison.LessOrEqual, a, b, value, (x, y) => x <= y);
        CheckComparison(BufferComparison.Greater, a, b, value, (x, y) => x > y);
        CheckComparison(BufferComparison.GreaterOrEqual, a, b, value, (x, y) => x >= y);
    }

    private static void CheckComparison(BufferComparison comparison, T[] a, T[] b, T value, Func<T, T, bool> holds)
    {
        using SafeArray<T> x = new(a);
        using SafeArray<T> y = new(b);
        using SafeArray<bool> marks = new(a.Length);
        var pairs = a.Zip(b, holds).ToArray();
        x.Compare(comparison, y, marks);
        Assert.Equal(pairs, marks.ToArray());
        Assert.Equal(pairs.Count(mark => mark), x.CountWhere(comparison, y));
        var singles = a.Select(element => holds(element, value)).ToArray();
        x.Compare(comparison, value, marks);
        Assert.Equal(singles, marks.ToArray());
        Assert.Equal(singles.Count(mark => mark), x.CountWhere(comparison, value));
        Assert.True(MemoryMarshal.AsBytes(marks.AsSpan()).IndexOfAnyExcept((byte)0, (byte)1) < 0);
    }

    // Floating point is added up exactly here and rounded once; with tame numbers every order gives that.
    private static T Total(IEnumerable<(T Left, T Right)> products) => IsFloat
        ? T.CreateTruncating(products.Sum(pair => double.CreateChecked(pair.Left) * double.CreateChecked(pair.Right)))
        : products.Aggregate(T.Zero, (sum, pair) => sum + (pair.Left * pair.Right));

    private static void Check(string operation, SafeArray<T> into, Func<int, T> expected)
    {
        var found = into.AsSpan();
        for (var i = 0; i < found.Length; i++)
            CheckSame(operation, i, expected(i), found[i]);
    }

    // All NaN are one, 0 and -0 are two.
    private static void CheckSame(string operation, int index, T expected, T found)
    {
        var same = expected.Equals(found) && T.IsNegative(expected) == T.IsNegative(found);
        Assert.True(
            same || (T.IsNaN(expected) && T.IsNaN(found)),
            $"{operation} of {typeof(T).Name} at {index}: expected {expected}, found {found}");
    }
}
