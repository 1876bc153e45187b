using System.Data.SqlTypes;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sql;

/// <summary>Writes and reads bytes of a database in the form of <see cref="SqlBuffer"/>.</summary>
internal readonly struct SqlBinaryCodec : IValueCodec<SqlBinary>
{
    public static int BytesMin => 2;

    public static void Describe(StepList steps) => steps.Bytes(1).Items(typeof(byte));

    public static void Write(SlimWriter writer, SqlBinary value) =>
        SqlBuffer.Write(writer, value.IsNull, value.IsNull ? [] : value.Value);

    public static SqlBinary Read(SlimReader reader) =>
        SqlBuffer.Read(reader) is { } bytes ? new SqlBinary(bytes) : SqlBinary.Null;
}
