using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Fields;

/// <summary>A place of a user struct: its fields inline. A struct without fields takes one zero byte.</summary>
/// <typeparam name="T">The struct.</typeparam>
internal sealed class StructFieldSerializer<T>(FieldSet<T> fields, bool isEmpty) : FieldSerializer<T>
    where T : struct
{
    public override int BytesMin => fields.BytesMin;

    public override void Describe(LayoutBuilder layout)
    {
        if (isEmpty)
            layout.Body.Bytes(1);
        else
            fields.Describe(layout);
    }

    public override void Write(SlimWriter writer, T value)
    {
        if (isEmpty)
        {
            writer.WriteByte(0);
            return;
        }

        writer.Depth++;
        fields.Write(writer, ref value);
        writer.Depth--;
    }

    public override T Read(SlimReader reader)
    {
        T value = default;
        ReadInto(reader, ref value);
        return value;
    }

    /// <summary>Reads the fields into a value that exists, whose other fields stay as they are.</summary>
    public void ReadInto(SlimReader reader, ref T value)
    {
        if (isEmpty)
        {
            if (reader.ReadByte() != 0)
                Throw.Malformed("A struct without fields is not a zero byte.");
            return;
        }

        reader.Depth++;
        fields.Read(reader, ref value);
        reader.Depth--;
    }
}
