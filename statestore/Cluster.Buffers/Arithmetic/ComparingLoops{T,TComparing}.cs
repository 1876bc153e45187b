using System.Runtime.Intrinsics;

namespace Cluster.Buffers.Arithmetic;

/// <summary>The loops of one comparison, which the base library does not have: 32 elements at a time, as 32 bits, and
/// the rest one by one. Stateless.</summary>
internal static class ComparingLoops<T, TComparing>
    where T : unmanaged, INumber<T>
    where TComparing : struct, IComparing
{
    private const int BlockCount = 32;

    public static long Run(ReadOnlySpan<T> left, ReadOnlySpan<T> right, Span<bool> into)
    {
        var count = 0L;
        var index = 0;
        if (Vector256<T>.IsSupported)
        {
            for (; index <= left.Length - BlockCount; index += BlockCount)
            {
                var bits = 0u;
                for (var lane = 0; lane < BlockCount; lane += Vector256<T>.Count)
                {
                    var x = Vector256.Create(left.Slice(index + lane, Vector256<T>.Count));
                    var y = Vector256.Create(right.Slice(index + lane, Vector256<T>.Count));
                    bits |= TComparing.Holds(x, y).ExtractMostSignificantBits() << lane;
                }

                count += Note(bits, into, index);
            }
        }

        for (; index < left.Length; index++)
            count += Note(TComparing.Holds(left[index], right[index]), into, index);
        return count;
    }

    public static long Run(ReadOnlySpan<T> left, T right, Span<bool> into)
    {
        var count = 0L;
        var index = 0;
        if (Vector256<T>.IsSupported)
        {
            var y = Vector256.Create(right);
            for (; index <= left.Length - BlockCount; index += BlockCount)
            {
                var bits = 0u;
                for (var lane = 0; lane < BlockCount; lane += Vector256<T>.Count)
                {
                    var x = Vector256.Create(left.Slice(index + lane, Vector256<T>.Count));
                    bits |= TComparing.Holds(x, y).ExtractMostSignificantBits() << lane;
                }

                count += Note(bits, into, index);
            }
        }

        for (; index < left.Length; index++)
            count += Note(TComparing.Holds(left[index], right), into, index);
        return count;
    }

    private static int Note(uint bits, Span<bool> into, int index)
    {
        if (into.Length > 0)
            Spread(bits).CopyTo(MemoryMarshal.AsBytes(into.Slice(index, BlockCount)));
        return BitOperations.PopCount(bits);
    }

    private static int Note(bool holds, Span<bool> into, int index)
    {
        if (into.Length > 0)
            into[index] = holds;
        return holds ? 1 : 0;
    }

    // Byte i is 1 where bit i is set: the byte with that bit is shuffled to position i, and its other bits are masked
    // out.
    private static Vector256<byte> Spread(uint bits)
    {
        var bytes = Vector256.Shuffle(
            Vector256.Create(bits).AsByte(),
            Vector256.Create(
                (byte)0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 18, 18, 18, 18, 18, 18, 18, 18, 19, 19, 19, 19,
                19, 19, 19, 19));
        var bit = Vector256.Create(0x8040201008040201UL).AsByte();
        return Vector256.Equals(bytes & bit, bit) & Vector256<byte>.One;
    }
}
