using Cluster.Buffers.Arithmetic;

namespace Cluster.Buffers.Tests.Arithmetic;

/// <summary>Filling past the caches: every element, nothing behind the last one, whatever their size.</summary>
public sealed class StreamingFillTests
{
    private readonly record struct Wide(long A, long B, long C, long D);

    private readonly record struct Uneven(byte A, byte B, byte C);

    [Fact]
    public void Fill_OfAnyLength_FillsAllAndNoMore()
    {
        Check((byte)0xA5);
        Check((ushort)0xBEEF);
        Check(0x01020304);
        Check(double.NaN);
        Check(new Guid("00112233-4455-6677-8899-aabbccddeeff"));
        Check(new Wide(1, -2, 3, -4));
    }

    [Fact]
    public void Fill_OfElementsThatDoNotDivideALine_IsNotSupported()
    {
        Assert.False(StreamingFill.Supports<Uneven>());
        Assert.True(StreamingFill.Supports<Wide>());
    }

    [Fact]
    public void Fill_ThatDoesNotBeginAtALine_IsRefusedBeforeItFaults()
    {
        using SafeArray<int> array = new(1000);
        Assert.ThrowsAny<Exception>(() => StreamingFill.Fill(array.AsSpan(1), 7));
        Assert.False(array.AsSpan().ContainsAnyExcept(0));
    }

    // More than one part, the last one with a tail, and a type that cannot be streamed.
    [Fact]
    public void Fill_OfALargeArray_FillsEveryElement()
    {
        CheckLarge((byte)7, (int)StreamingFill.BytesMin + 77);
        CheckLarge(new Uneven(1, 2, 3), (int)(StreamingFill.BytesMin / 3) + 1);
    }

    private static void Check<T>(T value)
        where T : unmanaged, IEquatable<T>
    {
        for (var count = 0; count <= 2000 / Unsafe.SizeOf<T>(); count++)
        {
            using SafeArray<T> array = new(count + 64);
            StreamingFill.Fill(array.AsSpan(0, count), value);
            Assert.False(array.AsSpan(0, count).ContainsAnyExcept(value));
            Assert.False(array.AsSpan(count).ContainsAnyExcept(default(T)));
        }
    }

    private static void CheckLarge<T>(T value, int length)
        where T : unmanaged, IEquatable<T>
    {
        using SafeArray<T> array = new(length);
        array.Fill(value);
        Assert.False(array.AsSpan().ContainsAnyExcept(value));
    }
}
