using Cluster.Buffers.Arithmetic;
using Xunit.Abstractions;

namespace Cluster.Buffers.Tests.Arithmetic;

/// <summary>Acceptance case 20, the arithmetic part: large arrays are filled, created and filled, and multiplied in
/// place, and every element is held against what it must be then.</summary>
[Collection(nameof(RunsAlone))]
[Trait("Case", "pile-20")]
public sealed class BufferArithmeticTests(ITestOutputHelper output)
{
    private const int PartCount = 1 << 20;

    private readonly ITestOutputHelper _output = output;

    [Fact]
    public void FillAndMultiply_ShortForm_EveryElementIsRight()
    {
        Check<ulong>(1_000_003, 0x9E3779B97F4A7C15);
        Check<ushort>(21_464_351, 40_503);
        Check<int>(10_500_001, -1_640_531_527);
        Check<double>(1_000_003, 3);
    }

    // 10 M and 100 M, as many as an array of the runtime holds, and 4.2 GB of integers.
    [Fact]
    [Trait("Category", "Soak")]
    public void FillAndMultiply_StatedSizes_EveryElementIsRight()
    {
        Check<ulong>(10_000_000, 0x9E3779B97F4A7C15);
        Check<ulong>(100_000_000, 0x9E3779B97F4A7C15);
        Check<ushort>(10_000_000, 40_503);
        Check<ushort>(2_146_435_071, 40_503);
        Check<int>(1_050_000_000, -1_640_531_527);
    }

    private void Check<T>(long length, T factor)
        where T : unmanaged, INumber<T>
    {
        using (HugeArray<T> filled = new(length, BufferFill.Uninitialized))
        {
            filled.Fill(factor);
            ForEachPart(filled, (start, part) => Assert.False(part.ContainsAnyExcept(factor)));
        }

        // Most likely the same memory, which holds the factors still.
        using HugeArray<T> array = new(length, BufferFill.Uninitialized);
        ForEachPart(array, (start, part) =>
        {
            for (var i = 0; i < part.Length; i++)
                part[i] = T.CreateTruncating(start + i);
        });
        array.MultiplyInPlace(factor);
        ForEachPart(array, (start, part) =>
        {
            var wrong = 0;
            for (var i = 0; i < part.Length; i++)
                wrong += part[i] == T.CreateTruncating(start + i) * factor ? 0 : 1;
            Assert.Equal(0, wrong);
        });
        _output.WriteLine($"{length:N0} elements of {typeof(T).Name} filled, multiplied and compared");
    }

    private static void ForEachPart<T>(HugeArray<T> array, Action<long, Span<T>> action)
        where T : unmanaged
    {
        for (var start = 0L; start < array.Length; start += PartCount)
            action(start, array.AsSpan(start, (int)Math.Min(PartCount, array.Length - start)));
    }
}
