using System.Runtime.CompilerServices;

namespace Cluster.Slim.Plans;

/// <summary>One byte, 0 or 1; anything else is refused.</summary>
internal readonly struct BooleanKind : IFixedKind<bool>
{
    public static int Bytes => 1;

    public static bool IsRaw => false;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Put(ref byte target, bool value) => target = value ? (byte)1 : (byte)0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Get(ref byte source)
    {
        byte value = source;
        if (value > 1)
            Throw.Malformed("A bool is neither 0 nor 1.");
        return value != 0;
    }
}
