using System.Data.SqlTypes;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sql;

/// <summary>Writes and reads a text of a database: the text, null for null, then the number of its culture and its
/// comparison options, zero for null.</summary>
internal readonly struct SqlStringCodec : IValueCodec<SqlString>
{
    public static int BytesMin => 9;

    public static void Describe(StepList steps) => steps.Text().Bytes(2 * sizeof(int));

    public static void Write(SlimWriter writer, SqlString value)
    {
        writer.WriteString(value.IsNull ? null : value.Value);
        writer.WriteRaw(value.IsNull ? 0 : value.LCID);
        writer.WriteRaw(value.IsNull ? 0 : (int)value.SqlCompareOptions);
    }

    public static SqlString Read(SlimReader reader)
    {
        var text = reader.ReadString();
        var culture = reader.ReadRaw<int>();
        var options = (SqlCompareOptions)reader.ReadRaw<int>();
        if (text is null)
            return SqlString.Null;
        try
        {
            return new SqlString(text, culture, options);
        }
        catch (ArgumentException e)
        {
            throw Throw.Failed("A text of a database compares in an unknown way.", e);
        }
    }
}
