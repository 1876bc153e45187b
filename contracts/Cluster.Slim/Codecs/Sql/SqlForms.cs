using System.Data.SqlTypes;
using Cluster.Slim.Errors;

namespace Cluster.Slim.Codecs.Sql;

/// <summary>Lists the database types whose values have a fixed size. Immutable table.</summary>
internal static class SqlForms
{
    private const int TicksShift = 32;

    private static readonly Dictionary<Type, object> All = new()
    {
        [typeof(SqlByte)] = new SqlForm<SqlByte, byte>(static v => v.Value, static r => new SqlByte(r)),
        [typeof(SqlInt16)] = new SqlForm<SqlInt16, short>(static v => v.Value, static r => new SqlInt16(r)),
        [typeof(SqlInt32)] = new SqlForm<SqlInt32, int>(static v => v.Value, static r => new SqlInt32(r)),
        [typeof(SqlInt64)] = new SqlForm<SqlInt64, long>(static v => v.Value, static r => new SqlInt64(r)),
        [typeof(SqlSingle)] = new SqlForm<SqlSingle, float>(static v => v.Value, static r => new SqlSingle(r)),
        [typeof(SqlDouble)] = new SqlForm<SqlDouble, double>(static v => v.Value, static r => new SqlDouble(r)),
        [typeof(SqlGuid)] = new SqlForm<SqlGuid, Guid>(static v => v.Value, static r => new SqlGuid(r)),
        [typeof(SqlMoney)] = new SqlForm<SqlMoney, long>(static v => v.GetTdsValue(), SqlMoney.FromTdsValue),
        [typeof(SqlBoolean)] = new SqlForm<SqlBoolean, byte>(static v => v.ByteValue, MakeBoolean),
        [typeof(SqlDateTime)] = new SqlForm<SqlDateTime, long>(
            static v => ((long)v.DayTicks << TicksShift) | (uint)v.TimeTicks,
            static r => new SqlDateTime((int)(r >> TicksShift), (int)r)),
        [typeof(SqlDecimal)] = new SqlForm<SqlDecimal, SqlDecimalParts>(SqlDecimalParts.Of, SqlDecimalParts.Make),
    };

    public static SqlForm<TSql, TRaw> Of<TSql, TRaw>()
        where TSql : struct
        where TRaw : unmanaged =>
        (SqlForm<TSql, TRaw>)All[typeof(TSql)];

    private static SqlBoolean MakeBoolean(byte raw)
    {
        if (raw > 1)
            Throw.Malformed("A SqlBoolean is neither false nor true.");
        return new SqlBoolean(raw);
    }
}

/// <summary>Converts a value of a database to a fixed number of bytes and back.</summary>
/// <typeparam name="TSql">The type of the database.</typeparam>
/// <typeparam name="TRaw">Its bytes; any pattern of them is a value of this type.</typeparam>
/// <param name="RawOf">Returns the bytes of a value that is not null.</param>
/// <param name="Make">Builds the value; throws the framework's exception for bytes that are not valid.</param>
internal sealed record SqlForm<TSql, TRaw>(Func<TSql, TRaw> RawOf, Func<TRaw, TSql> Make)
    where TSql : struct
    where TRaw : unmanaged;
