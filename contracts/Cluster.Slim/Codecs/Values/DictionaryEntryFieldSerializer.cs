using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads an entry of a dictionary without type arguments: the key, then the value.</summary>
internal sealed class DictionaryEntryFieldSerializer(SerializerSource source) : FieldSerializer<DictionaryEntry>
{
    private readonly FieldSerializer<object?> _part = source.FieldSerializerOf<object?>();

    public override int BytesMin => 2 * _part.BytesMin;

    public override void Describe(LayoutBuilder layout) => layout.Body.Place(typeof(object)).Place(typeof(object));

    public override void Write(SlimWriter writer, DictionaryEntry value)
    {
        writer.Depth++;
        _part.Write(writer, value.Key);
        _part.Write(writer, value.Value);
        writer.Depth--;
    }

    public override DictionaryEntry Read(SlimReader reader)
    {
        reader.Depth++;
        var key = _part.Read(reader);
        var value = _part.Read(reader);
        reader.Depth--;
        return new DictionaryEntry(key!, value);
    }
}
