namespace Cluster.Slim.Hosting;

/// <summary>Little-endian base-128 numbers as in protobuf, for libraries with formats of their own: seven bits a byte,
/// the high bit says that more bytes follow. Pure.</summary>
public static class Varint
{
    /// <summary>The bytes of the longest number.</summary>
    public const int BytesMax = 10;

    /// <summary>Writes the shortest form and returns its length.</summary>
    /// <param name="destination">The place for the number, which needs <see cref="SizeOf"/> bytes.</param>
    /// <param name="value">The number.</param>
    public static int Write(Span<byte> destination, ulong value)
    {
        var length = 0;
        while (value >= 0x80)
        {
            destination[length++] = (byte)(value | 0x80);
            value >>= 7;
        }

        destination[length++] = (byte)value;
        return length;
    }

    /// <summary>The bytes of the shortest form.</summary>
    /// <param name="value">The number.</param>
    public static int SizeOf(ulong value) =>
        value == 0 ? 1 : (70 - BitOperations.LeadingZeroCount(value)) / 7;

    /// <summary>Reads one number. False: it is incomplete or does not fit 64 bits.</summary>
    /// <param name="source">The bytes; the number is at their start.</param>
    /// <param name="value">The number.</param>
    /// <param name="length">The bytes of the number, or the bytes that were looked at.</param>
    public static bool TryRead(ReadOnlySpan<byte> source, out ulong value, out int length)
    {
        if (source.Length > 0 && source[0] < 0x80)
        {
            value = source[0];
            length = 1;
            return true;
        }

        return TryReadLong(source, out value, out length);
    }

    private static bool TryReadLong(ReadOnlySpan<byte> source, out ulong value, out int length)
    {
        value = 0;
        var end = Math.Min(source.Length, BytesMax);
        for (length = 0; length < end; length++)
        {
            ulong part = source[length];
            if (length == BytesMax - 1 && part > 1)
                return false;
            value |= (part & 0x7F) << (7 * length);
            if (part < 0x80)
            {
                length++;
                return true;
            }
        }

        return false;
    }
}
