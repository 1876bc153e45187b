using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Fields;

/// <summary>A place of type string. Strings travel by value: their identity is not observable on purpose.</summary>
internal sealed class StringFieldSerializer : FieldSerializer<string?>
{
    public override int BytesMin => 1;

    /// <summary>For emitted code, which takes twice as long to compile with a copy of this for each field and runs no
    /// faster; lists of texts lose a sixth without one.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WriteField(SlimWriter writer, string? value) => writer.WriteString(value);

    public override void Describe(LayoutBuilder layout) => layout.Body.Text();

    public override void Write(SlimWriter writer, string? value) => writer.WriteString(value);

    public override string? Read(SlimReader reader) => reader.ReadString();
}
