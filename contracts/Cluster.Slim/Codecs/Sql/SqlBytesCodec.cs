using System.Data.SqlTypes;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sql;

/// <summary>Writes and reads the bytes of a buffer in the form of <see cref="SqlBuffer"/>. Bytes over a stream are
/// refused.</summary>
internal readonly struct SqlBytesCodec : ILeafCodec<SqlBytes>
{
    public static void Describe(StepList steps) => steps.Bytes(1).Items(typeof(byte));

    public static void Write(SlimWriter writer, SqlBytes value)
    {
        if (!value.IsNull && value.Storage != StorageState.Buffer)
            throw Throw.NotSupported(typeof(SqlBytes), "it stands on a stream; carry its Value: new SqlBytes(Value).");
        SqlBuffer.Write(
            writer, value.IsNull, value.IsNull ? [] : value.Buffer.AsSpan(0, checked((int)value.Length)));
    }

    public static SqlBytes Read(SlimReader reader) =>
        SqlBuffer.Read(reader) is { } bytes ? new SqlBytes(bytes) : SqlBytes.Null;
}
