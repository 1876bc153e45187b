using Cluster.Slim.Errors;

namespace Cluster.Slim.Fields.Fixed;

/// <summary>Sixteen bytes: 32 bits of sign and scale, the high 32 bits, the low 64 bits, as in memory.</summary>
internal readonly struct DecimalKind : IFixedKind<decimal>
{
    private const uint FlagsInvalid = 0x7F00FFFF;
    private const uint ScaleMask = 0x00FF0000;
    private const uint ScaleMax = 28 << 16;

    public static int Bytes => 16;

    public static FixedForm Form => FixedForm.Checked;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Put(ref byte target, decimal value) => Unsafe.WriteUnaligned(ref target, value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static decimal Get(ref byte source)
    {
        var flags = Unsafe.ReadUnaligned<uint>(ref source);
        if ((flags & FlagsInvalid) != 0 || (flags & ScaleMask) > ScaleMax)
            ThrowInvalid();
        return Unsafe.ReadUnaligned<decimal>(ref source);
    }

    // The room below the greatest scale is negative for larger scales.
    public static bool AreValues(ref byte source, int stride, int count)
    {
        uint invalid = 0;
        var room = 0;
        for (; count > 0; count--)
        {
            var flags = Unsafe.ReadUnaligned<uint>(ref source);
            invalid |= flags & FlagsInvalid;
            room |= (int)ScaleMax - (int)(flags & ScaleMask);
            source = ref Unsafe.Add(ref source, stride);
        }

        return invalid == 0 && room >= 0;
    }

    private static void ThrowInvalid() => Throw.Malformed("A decimal has an invalid scale or sign.");
}
