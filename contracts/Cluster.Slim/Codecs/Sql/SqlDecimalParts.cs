using System.Data.SqlTypes;
using Cluster.Slim.Errors;

namespace Cluster.Slim.Codecs.Sql;

/// <summary>A decimal number of a database: precision, scale, 1 if it is not negative, 0, and four times 32 bits, the
/// lowest first.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal readonly record struct SqlDecimalParts(
    byte Precision, byte Scale, byte IsPositive, byte Zero, UInt128 Digits)
{
    public static SqlDecimalParts Of(SqlDecimal value)
    {
        var data = value.Data;
        UInt128 digits = new(
            ((ulong)(uint)data[3] << 32) | (uint)data[2], ((ulong)(uint)data[1] << 32) | (uint)data[0]);
        return new SqlDecimalParts(value.Precision, value.Scale, value.IsPositive ? (byte)1 : (byte)0, 0, digits);
    }

    public static SqlDecimal Make(SqlDecimalParts parts)
    {
        if (parts.IsPositive > 1 || parts.Zero != 0)
            Throw.Malformed("A SqlDecimal has an unknown sign.");
        var digits = parts.Digits;
        int[] data =
            [(int)(uint)digits, (int)(uint)(digits >> 32), (int)(uint)(digits >> 64), (int)(uint)(digits >> 96)];
        return new SqlDecimal(parts.Precision, parts.Scale, parts.IsPositive == 1, data);
    }
}
