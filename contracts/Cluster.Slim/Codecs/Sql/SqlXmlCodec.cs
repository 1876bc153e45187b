using System.Data.SqlTypes;
using Cluster.Slim.Codecs.Documents;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sql;

/// <summary>Writes and reads the text of an XML document of a database, null for null, under the rules of
/// <see cref="XmlText"/>.</summary>
internal readonly struct SqlXmlCodec : ILeafCodec<SqlXml>
{
    public static void Describe(StepList steps) => steps.Text();

    public static void Write(SlimWriter writer, SqlXml value)
    {
        var text = value.IsNull ? null : XmlText.Guard(typeof(SqlXml), value, static v => v.Value);
        if (text is not null)
            XmlText.CheckWritten(writer.Limits, typeof(SqlXml), text);
        writer.WriteString(text);
    }

    public static SqlXml Read(SlimReader reader)
    {
        if (reader.ReadString() is not { } text)
            return SqlXml.Null;
        return XmlText.Parse(reader, text, static xml => new SqlXml(xml));
    }
}
