using System.Runtime.CompilerServices;

namespace Cluster.Slim.Plans;

/// <summary>One byte, 0 or 1; anything else is refused.</summary>
internal readonly struct BooleanKind : IFixedKind<bool>
{
    public static int Bytes => 1;

    public static FixedForm Form => FixedForm.Normalized;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Put(ref byte target, bool value) => target = value ? (byte)1 : (byte)0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Get(ref byte source)
    {
        byte value = source;
        if (value > 1)
            ThrowInvalid();
        return value != 0;
    }

    /// <summary>Whether all values are 0 or 1 in memory; others mean true.</summary>
    internal static bool AreNormal(ReadOnlySpan<byte> values) => !values.ContainsAnyExceptInRange((byte)0, (byte)1);

    internal static void Check(ReadOnlySpan<byte> values)
    {
        if (!AreNormal(values))
            ThrowInvalid();
    }

    private static void ThrowInvalid() => Throw.Malformed("A bool is neither 0 nor 1.");
}
