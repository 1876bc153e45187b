using System.Runtime.CompilerServices;

namespace Cluster.Slim.Plans;

/// <summary>Eight bytes: 62 bits of ticks, above them the kind, as the runtime keeps them, so that the flag of a
/// local
/// time in the repeated hour survives.</summary>
internal readonly struct DateTimeKindBits : IFixedKind<DateTime>
{
    private const ulong TicksMask = 0x3FFFFFFFFFFFFFFF;

    public static int Bytes => 8;

    public static FixedForm Form => FixedForm.Checked;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Put(ref byte target, DateTime value) =>
        Unsafe.WriteUnaligned(ref target, Unsafe.BitCast<DateTime, ulong>(value));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static DateTime Get(ref byte source)
    {
        ulong bits = Unsafe.ReadUnaligned<ulong>(ref source);
        if ((bits & TicksMask) > (ulong)DateTime.MaxValue.Ticks)
            Throw.Malformed("A DateTime is out of range.");
        return Unsafe.BitCast<ulong, DateTime>(bits);
    }
}
