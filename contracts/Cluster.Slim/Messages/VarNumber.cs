using Cluster.Slim.Errors;

namespace Cluster.Slim.Messages;

/// <summary>Numbers of up to 32 bits in groups of seven bits, lowest first.</summary>
internal static class VarNumber
{
    /// <summary>Writes a number of any length at an address with room for five bytes; returns its length.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Put(ref byte start, uint value)
    {
        start = (byte)value;
        return value < 0x80 ? 1 : PutLong(ref start, value);
    }

    /// <summary>Writes a number of more than one byte.</summary>
    public static void WriteLong(SlimWriter writer, uint value)
    {
        if (value >= 1 << 14)
        {
            var bits = 32 - BitOperations.LeadingZeroCount(value);
            PutLong(ref writer.Reserve((bits + 6) / 7), value);
            return;
        }

        ref var both = ref writer.Reserve(2);
        both = (byte)(value | 0x80);
        Unsafe.Add(ref both, 1) = (byte)(value >> 7);
    }

    private static int PutLong(ref byte start, uint value)
    {
        var count = 0;
        while (value >= 0x80)
        {
            Unsafe.Add(ref start, count++) = (byte)(value | 0x80);
            value >>= 7;
        }

        Unsafe.Add(ref start, count++) = (byte)value;
        return count;
    }

    /// <summary>Reads the bytes after the first byte of a longer number.</summary>
    public static uint ReadRest(SlimReader reader, uint value)
    {
        uint second = reader.ReadByte();
        value |= (second & 0x7F) << 7;
        if (second < 0x80)
            return value;
        for (var shift = 14; ; shift += 7)
        {
            uint next = reader.ReadByte();
            if (shift == 28 && next > 0x0F)
                Throw.Malformed("A number is longer than 32 bits.");
            value |= (next & 0x7F) << shift;
            if (next < 0x80)
                return value;
        }
    }
}
