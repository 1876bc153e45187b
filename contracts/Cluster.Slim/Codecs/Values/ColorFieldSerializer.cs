using System.Drawing;
using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads a color in the form in which it was created, because equality distinguishes these forms:
/// none, four channels, a known color, or a name that the framework does not know. The bytes are the form, four bytes
/// of channels or number, and the name.</summary>
/// <param name="source">Not used; all framework field serializers are created with it.</param>
internal sealed class ColorFieldSerializer(SerializerSource source) : FieldSerializer<Color>
{
    private const byte Empty = 0;
    private const byte Channels = 1;
    private const byte Known = 2;
    private const byte Named = 3;

    public override int BytesMin => 6;

    public SerializerSource Slots => source;

    public override void Describe(LayoutBuilder layout) => layout.Body.Bytes(5).Text();

    public override void Write(SlimWriter writer, Color value)
    {
        if (value.IsEmpty)
            Write(writer, Empty, 0, null);
        else if (value.IsKnownColor)
            Write(writer, Known, (int)value.ToKnownColor(), null);
        else if (value.IsNamedColor)
            Write(writer, Named, 0, value.Name);
        else
            Write(writer, Channels, value.ToArgb(), null);
    }

    public override Color Read(SlimReader reader)
    {
        var kind = reader.ReadByte();
        var number = reader.ReadRaw<int>();
        var name = reader.ReadString();
        switch (kind)
        {
            case Empty when number == 0 && name is null:
                return Color.Empty;
            case Channels when name is null:
                return Color.FromArgb(number);
            case Known when name is null && Enum.IsDefined((KnownColor)number):
                return Color.FromKnownColor((KnownColor)number);
            case Named when number == 0 && name is not null:
                return Color.FromName(name);
            default:
                Throw.Malformed("A color is not known here.");
                return default;
        }
    }

    private static void Write(SlimWriter writer, byte kind, int number, string? name)
    {
        writer.WriteByte(kind);
        writer.WriteRaw(number);
        writer.WriteString(name);
    }
}
