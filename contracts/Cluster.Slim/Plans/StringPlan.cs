using Cluster.Slim.Layouts;

namespace Cluster.Slim.Plans;

/// <summary>A string in a place of a wider type.</summary>
internal sealed class StringPlan : ObjectPlan
{
    internal StringPlan()
        : base(typeof(string)) => GraphBytes = 0;

    internal override bool HasBody => false;

    internal override void Describe(LayoutBuilder layout) => layout.Creation.Text();

    internal override void WriteHead(SlimWriter writer, object value) => writer.WriteString((string)value);

    internal override object Create(SlimReader reader)
    {
        string? value = reader.ReadString();
        if (value is null)
            Throw.Malformed("A string object is null.");
        return value!;
    }
}
