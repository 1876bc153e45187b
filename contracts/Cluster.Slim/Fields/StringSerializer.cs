using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Fields;

/// <summary>A string in a place of a wider type.</summary>
internal sealed class StringSerializer : TypeSerializer
{
    public StringSerializer()
        : base(typeof(string)) => GraphBytes = 0;

    public override bool HasBody => false;

    public override void Describe(LayoutBuilder layout) => layout.Creation.Text();

    public override void WriteHead(SlimWriter writer, object value) => writer.WriteString((string)value);

    public override object Create(SlimReader reader)
    {
        var value = reader.ReadString();
        if (value is null)
            Throw.Malformed("A string object is null.");
        return value!;
    }
}
