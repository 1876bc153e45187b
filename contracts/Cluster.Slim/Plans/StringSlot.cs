using Cluster.Slim.Layouts;

namespace Cluster.Slim.Plans;

/// <summary>A place of type string. Strings travel by value: their identity is not observable on purpose.</summary>
internal sealed class StringSlot : Slot<string?>
{
    internal override int BytesMin => 1;

    internal override void Describe(LayoutBuilder layout) => layout.Body.Text();

    internal override void Write(SlimWriter writer, string? value) => writer.WriteString(value);

    internal override string? Read(SlimReader reader) => reader.ReadString();
}
