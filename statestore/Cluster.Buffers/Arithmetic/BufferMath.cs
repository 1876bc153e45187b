using System.Numerics.Tensors;

namespace Cluster.Buffers.Arithmetic;

/// <summary>Arithmetic over whole <see cref="SafeArray{T}"/>s and <see cref="HugeArray{T}"/>s, in vectors of the
/// processor where the type allows. Every operation walks over memory once, also the fused ones. Stateless; elements
/// that another thread changes meanwhile are read before or after the change.</summary>
/// <remarks>
/// <para>The arithmetic is that of <see cref="TensorPrimitives"/>, applied part by part, so arrays of any length do;
/// over spans of buffers use those directly. All arrays of a call have one length. The result may go into
/// one of the operands, which changes it in place. Single values have the type of the elements exactly, as in
/// <c>bytes.MultiplyInPlace((byte)3)</c>.</para>
/// <para>Integers wrap around silently, as in unchecked C#; integer division by zero throws. Floating-point numbers
/// follow IEEE 754; sums and products of sums are added up in an order that is not defined, so their last bits may
/// differ from those of a loop. Lifetime is checked for each part of at most 2^24 elements: an array that another
/// thread disposes meanwhile ends the operation with <see cref="ObjectDisposedException"/>.</para>
/// </remarks>
public static class BufferMath
{
    /// <summary>Copies all elements to an array of the same length.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void CopyTo<T>(this BufferArray<T> source, BufferArray<T> into)
        where T : unmanaged => Elementwise.Apply(source, into, static (x, to) => x.CopyTo(to));

    /// <summary>Adds element by element.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void Add<T>(this BufferArray<T> left, BufferArray<T> right, BufferArray<T> into)
        where T : unmanaged, INumber<T> => Elementwise.Apply(left, right, into, Kernels<T>.Add);

    /// <summary>Adds a value to every element.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void Add<T>(this BufferArray<T> left, T right, BufferArray<T> into)
        where T : unmanaged, INumber<T> => Elementwise.Apply(left, right, into, Kernels<T>.AddValue);

    /// <summary>Adds the other array to this one.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void AddInPlace<T>(this BufferArray<T> left, BufferArray<T> right)
        where T : unmanaged, INumber<T> => Add(left, right, left);

    /// <summary>Adds a value to every element, in place.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    public static void AddInPlace<T>(this BufferArray<T> left, T right)
        where T : unmanaged, INumber<T> => Add(left, right, left);

    /// <summary>Subtracts the elements on the right from those on the left.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void Subtract<T>(this BufferArray<T> left, BufferArray<T> right, BufferArray<T> into)
        where T : unmanaged, INumber<T> => Elementwise.Apply(left, right, into, Kernels<T>.Subtract);

    /// <summary>Subtracts a value from every element.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void Subtract<T>(this BufferArray<T> left, T right, BufferArray<T> into)
        where T : unmanaged, INumber<T> => Elementwise.Apply(left, right, into, Kernels<T>.SubtractValue);

    /// <summary>Subtracts the other array from this one.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void SubtractInPlace<T>(this BufferArray<T> left, BufferArray<T> right)
        where T : unmanaged, INumber<T> => Subtract(left, right, left);

    /// <summary>Subtracts a value from every element, in place.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    public static void SubtractInPlace<T>(this BufferArray<T> left, T right)
        where T : unmanaged, INumber<T> => Subtract(left, right, left);

    /// <summary>Multiplies element by element.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void Multiply<T>(this BufferArray<T> left, BufferArray<T> right, BufferArray<T> into)
        where T : unmanaged, INumber<T> => Elementwise.Apply(left, right, into, Kernels<T>.Multiply);

    /// <summary>Multiplies every element by a value.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void Multiply<T>(this BufferArray<T> left, T right, BufferArray<T> into)
        where T : unmanaged, INumber<T> => Elementwise.Apply(left, right, into, Kernels<T>.MultiplyValue);

    /// <summary>Multiplies this array by the other one.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void MultiplyInPlace<T>(this BufferArray<T> left, BufferArray<T> right)
        where T : unmanaged, INumber<T> => Multiply(left, right, left);

    /// <summary>Multiplies every element by a value, in place.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    public static void MultiplyInPlace<T>(this BufferArray<T> left, T right)
        where T : unmanaged, INumber<T> => Multiply(left, right, left);

    /// <summary>Divides element by element. Division of integers is not done in vectors.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="DivideByZeroException">An integer was to be divided by zero; the result is changed in
    /// part.</exception>
    /// <exception cref="OverflowException">The least signed integer was to be divided by -1; the result is changed in
    /// part.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void Divide<T>(this BufferArray<T> left, BufferArray<T> right, BufferArray<T> into)
        where T : unmanaged, INumber<T> => Elementwise.Apply(left, right, into, Kernels<T>.Divide);

    /// <summary>Divides every element by a value. Division of integers is not done in vectors.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="DivideByZeroException">Integers were to be divided by zero.</exception>
    /// <exception cref="OverflowException">The least signed integer was to be divided by -1; the result is changed in
    /// part.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void Divide<T>(this BufferArray<T> left, T right, BufferArray<T> into)
        where T : unmanaged, INumber<T> => Elementwise.Apply(left, right, into, Kernels<T>.DivideValue);

    /// <summary>Divides this array by the other one, as <c>Divide</c> does.</summary>
    public static void DivideInPlace<T>(this BufferArray<T> left, BufferArray<T> right)
        where T : unmanaged, INumber<T> => Divide(left, right, left);

    /// <summary>Divides every element by a value, in place, as <c>Divide</c> does.</summary>
    public static void DivideInPlace<T>(this BufferArray<T> left, T right)
        where T : unmanaged, INumber<T> => Divide(left, right, left);

    /// <summary>Takes the square root of every element; that of a negative one is NaN.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void Sqrt<T>(this BufferArray<T> source, BufferArray<T> into)
        where T : unmanaged, IRootFunctions<T> => Elementwise.Apply(source, into, TensorPrimitives.Sqrt);

    /// <summary>Takes the square root of every element, in place; that of a negative one is NaN.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    public static void SqrtInPlace<T>(this BufferArray<T> source)
        where T : unmanaged, IRootFunctions<T> => Sqrt(source, source);

    /// <summary>Multiplies and adds in one walk: <c>left * right + addend</c>, rounded once or twice.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void MultiplyAdd<T>(
        this BufferArray<T> left, BufferArray<T> right, BufferArray<T> addend, BufferArray<T> into)
        where T : unmanaged, INumber<T> =>
        Elementwise.Apply(left, right, addend, into, TensorPrimitives.MultiplyAdd);

    /// <summary>Multiplies by a value and adds in one walk: <c>left * right + addend</c>.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void MultiplyAdd<T>(this BufferArray<T> left, T right, BufferArray<T> addend, BufferArray<T> into)
        where T : unmanaged, INumber<T> =>
        Elementwise.Apply(left, right, addend, into, TensorPrimitives.MultiplyAdd);

    /// <summary>Multiplies and adds a value in one walk: <c>left * right + addend</c>.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void MultiplyAdd<T>(
        this BufferArray<T> left, BufferArray<T> right, T addend, BufferArray<T> into)
        where T : unmanaged, INumber<T> =>
        Elementwise.Apply(left, right, addend, into, TensorPrimitives.MultiplyAdd);

    /// <summary>Adds and multiplies in one walk: <c>(left + right) * factor</c>.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void AddMultiply<T>(
        this BufferArray<T> left, BufferArray<T> right, BufferArray<T> factor, BufferArray<T> into)
        where T : unmanaged, INumber<T> =>
        Elementwise.Apply(left, right, factor, into, TensorPrimitives.AddMultiply);

    /// <summary>Adds a value and multiplies in one walk: <c>(left + right) * factor</c>.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void AddMultiply<T>(
        this BufferArray<T> left, T right, BufferArray<T> factor, BufferArray<T> into)
        where T : unmanaged, INumber<T> =>
        Elementwise.Apply(left, right, factor, into, TensorPrimitives.AddMultiply);

    /// <summary>Adds and multiplies by a value in one walk: <c>(left + right) * factor</c>.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void AddMultiply<T>(
        this BufferArray<T> left, BufferArray<T> right, T factor, BufferArray<T> into)
        where T : unmanaged, INumber<T> =>
        Elementwise.Apply(left, right, factor, into, TensorPrimitives.AddMultiply);

    /// <summary>The sum; zero for no elements. Integers wrap around within <typeparamref name="T"/>: see
    /// <c>WideSum</c>. <see cref="Half"/>s are added up as <see cref="float"/>s.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    public static T Sum<T>(this BufferArray<T> source)
        where T : unmanaged, INumber<T> => Reduction.Sum(source, Kernels<T>.Sum);

    /// <summary>The sum in a wider type, <c>bytes.WideSum&lt;byte, long&gt;()</c>; zero for no elements.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <typeparam name="TSum">The type of the sum, which wraps around when it does not hold it.</typeparam>
    /// <exception cref="OverflowException">An element does not fit into the type of the sum.</exception>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    public static TSum WideSum<T, TSum>(this BufferArray<T> source)
        where T : unmanaged, INumber<T>
        where TSum : unmanaged, INumber<TSum> => Reduction.Sum(source, WideKernels<T, TSum>.Sum);

    /// <summary>The sum of the squares, in one walk; wraps and rounds as <c>Sum</c> does.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    public static T SumOfSquares<T>(this BufferArray<T> source)
        where T : unmanaged, INumber<T> => Reduction.Sum(source, Kernels<T>.SumOfSquares);

    /// <summary>The sum of the products of the pairs, in one walk; wraps and rounds as <c>Sum</c> does.</summary>
    /// <exception cref="ArgumentException">The lengths differ.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static T Dot<T>(this BufferArray<T> left, BufferArray<T> right)
        where T : unmanaged, INumber<T> => Reduction.Sum(left, right, Kernels<T>.Dot);

    /// <summary>The least element. NaN when one is NaN; -0 is less than 0.</summary>
    /// <exception cref="ArgumentException">The array has no elements.</exception>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    public static T Min<T>(this BufferArray<T> source)
        where T : unmanaged, INumber<T> => Reduction.Extreme(source, TensorPrimitives.Min, T.Min);

    /// <summary>The greatest element. NaN when one is NaN; 0 is greater than -0.</summary>
    /// <exception cref="ArgumentException">The array has no elements.</exception>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    public static T Max<T>(this BufferArray<T> source)
        where T : unmanaged, INumber<T> => Reduction.Extreme(source, TensorPrimitives.Max, T.Max);

    /// <summary>Compares element by element and tells for each pair whether the comparison holds.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such comparison.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void Compare<T>(
        this BufferArray<T> left, BufferComparison comparison, BufferArray<T> right, BufferArray<bool> into)
        where T : unmanaged, INumber<T> => Comparing.Mark(left, right, into, ComparingKernels<T>.Find(comparison));

    /// <summary>Compares every element with a value and tells for each whether the comparison holds.</summary>
    /// <exception cref="ArgumentException">The lengths differ; nothing was changed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such comparison.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static void Compare<T>(
        this BufferArray<T> left, BufferComparison comparison, T right, BufferArray<bool> into)
        where T : unmanaged, INumber<T> => Comparing.Mark(left, right, into, ComparingKernels<T>.Find(comparison));

    /// <summary>For how many pairs of elements the comparison holds.</summary>
    /// <exception cref="ArgumentException">The lengths differ.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such comparison.</exception>
    /// <exception cref="ObjectDisposedException">An array was disposed.</exception>
    public static long CountWhere<T>(this BufferArray<T> left, BufferComparison comparison, BufferArray<T> right)
        where T : unmanaged, INumber<T> => Comparing.Count(left, right, ComparingKernels<T>.Find(comparison));

    /// <summary>For how many elements the comparison with the value holds.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such comparison.</exception>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    public static long CountWhere<T>(this BufferArray<T> left, BufferComparison comparison, T right)
        where T : unmanaged, INumber<T> => Comparing.Count(left, right, ComparingKernels<T>.Find(comparison));
}
