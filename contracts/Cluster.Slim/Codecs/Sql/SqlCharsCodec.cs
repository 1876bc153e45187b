using System.Data.SqlTypes;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sql;

/// <summary>Writes and reads characters of a database as text; null for null.</summary>
internal readonly struct SqlCharsCodec : ILeafCodec<SqlChars>
{
    public static void Describe(StepList steps) => steps.Text();

    public static void Write(SlimWriter writer, SqlChars value)
    {
        if (value.IsNull)
        {
            writer.WriteString(null);
            return;
        }

        writer.WriteText(value.Buffer.AsSpan(0, checked((int)value.Length)));
    }

    public static SqlChars Read(SlimReader reader)
    {
        if (reader.ReadString() is not { } text)
            return SqlChars.Null;
        reader.Charge(2L * text.Length);
        return new SqlChars(text.ToCharArray());
    }
}
