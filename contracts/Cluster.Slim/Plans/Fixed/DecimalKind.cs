using System.Runtime.CompilerServices;

namespace Cluster.Slim.Plans;

/// <summary>Sixteen bytes: low, middle and high 32 bits, then sign and scale.</summary>
internal readonly struct DecimalKind : IFixedKind<decimal>
{
    private const uint FlagsInvalid = 0x7F00FFFF;
    private const uint ScaleMax = 28;

    public static int Bytes => 16;

    public static bool IsRaw => false;

    public static void Put(ref byte target, decimal value)
    {
        Span<int> bits = stackalloc int[4];
        decimal.GetBits(value, bits);
        Unsafe.CopyBlockUnaligned(ref target, ref Unsafe.As<int, byte>(ref bits[0]), 16);
    }

    public static decimal Get(ref byte source)
    {
        int low = Unsafe.ReadUnaligned<int>(ref source);
        int middle = Unsafe.ReadUnaligned<int>(ref Unsafe.Add(ref source, 4));
        int high = Unsafe.ReadUnaligned<int>(ref Unsafe.Add(ref source, 8));
        uint flags = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref source, 12));
        uint scale = (flags >> 16) & 0xFF;
        if ((flags & FlagsInvalid) != 0 || scale > ScaleMax)
            Throw.Malformed("A decimal has an invalid scale or sign.");
        return new decimal(low, middle, high, (flags & 0x80000000) != 0, (byte)scale);
    }
}
