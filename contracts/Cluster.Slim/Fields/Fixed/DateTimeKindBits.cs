using Cluster.Slim.Errors;

namespace Cluster.Slim.Fields.Fixed;

/// <summary>Eight bytes: 62 bits of ticks, above them the kind, as in the runtime's memory, so that the flag of a local
/// time in the repeated hour survives.</summary>
internal readonly struct DateTimeKindBits : IFixedKind<DateTime>
{
    private const ulong TicksMask = 0x3FFFFFFFFFFFFFFF;
    private const long TicksMax = 3_155_378_975_999_999_999;

    public static int Bytes => 8;

    public static FixedForm Form => FixedForm.Checked;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Put(ref byte target, DateTime value) =>
        Unsafe.WriteUnaligned(ref target, Unsafe.BitCast<DateTime, ulong>(value));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static DateTime Get(ref byte source)
    {
        var bits = Unsafe.ReadUnaligned<ulong>(ref source);
        if ((bits & TicksMask) > TicksMax)
            Throw.Malformed("A DateTime is out of range.");
        return Unsafe.BitCast<ulong, DateTime>(bits);
    }

    // The room below the greatest value is negative for larger ticks.
    public static bool AreValues(ref byte source, int stride, int count)
    {
        long room = 0;
        for (; count >= 4; count -= 4)
        {
            room |= RoomOf(ref source) | RoomOf(ref Unsafe.Add(ref source, stride))
                | RoomOf(ref Unsafe.Add(ref source, 2 * stride)) | RoomOf(ref Unsafe.Add(ref source, 3 * stride));
            source = ref Unsafe.Add(ref source, 4 * stride);
        }

        for (; count > 0; count--)
        {
            room |= RoomOf(ref source);
            source = ref Unsafe.Add(ref source, stride);
        }

        return room >= 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static long RoomOf(ref byte source) =>
        TicksMax - (long)(Unsafe.ReadUnaligned<ulong>(ref source) & TicksMask);
}
