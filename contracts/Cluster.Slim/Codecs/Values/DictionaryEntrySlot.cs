using System.Collections;
using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Codecs;

/// <summary>A place of an entry of a dictionary without type arguments: the key, then the value.</summary>
internal sealed class DictionaryEntrySlot(SlotSource slots) : Slot<DictionaryEntry>
{
    private readonly Slot<object?> _part = slots.SlotOf<object?>();

    internal override int BytesMin => 2 * _part.BytesMin;

    internal override void Describe(LayoutBuilder layout) => layout.Body.Place(typeof(object)).Place(typeof(object));

    internal override void Write(SlimWriter writer, DictionaryEntry value)
    {
        writer.Depth++;
        _part.Write(writer, value.Key);
        _part.Write(writer, value.Value);
        writer.Depth--;
    }

    internal override DictionaryEntry Read(SlimReader reader)
    {
        reader.Depth++;
        object? key = _part.Read(reader);
        object? value = _part.Read(reader);
        reader.Depth--;
        return new DictionaryEntry(key!, value);
    }
}
