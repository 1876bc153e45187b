using Cluster.Slim.Errors;

namespace Cluster.Slim.Fields.Fixed;

/// <summary>One byte, 0 or 1; other bytes are refused.</summary>
internal readonly struct BooleanKind : IFixedKind<bool>
{
    public static int Bytes => 1;

    public static FixedForm Form => FixedForm.Normalized;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Put(ref byte target, bool value) => target = value ? (byte)1 : (byte)0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Get(ref byte source)
    {
        var value = source;
        if (value > 1)
            ThrowInvalid();
        return value != 0;
    }

    /// <summary>Whether all values are 0 or 1 in memory. Other bytes mean true.</summary>
    public static bool AreNormal(ReadOnlySpan<byte> values) => !values.ContainsAnyExceptInRange((byte)0, (byte)1);

    // Four at a time, so that loads do not wait for each other.
    public static bool AreValues(ref byte source, int stride, int count)
    {
        var seen = 0;
        for (; count >= 4; count -= 4)
        {
            seen |= source | Unsafe.Add(ref source, stride) | Unsafe.Add(ref source, 2 * stride)
                | Unsafe.Add(ref source, 3 * stride);
            source = ref Unsafe.Add(ref source, 4 * stride);
        }

        for (; count > 0; count--)
        {
            seen |= source;
            source = ref Unsafe.Add(ref source, stride);
        }

        return seen <= 1;
    }

    private static void ThrowInvalid() => Throw.Malformed("A bool is neither 0 nor 1.");
}
