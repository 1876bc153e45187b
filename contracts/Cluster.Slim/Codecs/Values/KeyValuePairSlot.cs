using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Codecs;

/// <summary>A place of a key and value pair: the key, then the value.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class KeyValuePairSlot<TKey, TValue>(SlotSource slots) : Slot<KeyValuePair<TKey, TValue>>
{
    private readonly Slot<TKey> _key = slots.SlotOf<TKey>();
    private readonly Slot<TValue> _value = slots.SlotOf<TValue>();

    internal override int BytesMin => _key.BytesMin + _value.BytesMin;

    internal override void Describe(LayoutBuilder layout) => layout.Body.Place(typeof(TKey)).Place(typeof(TValue));

    internal override void Write(SlimWriter writer, KeyValuePair<TKey, TValue> value)
    {
        writer.Depth++;
        _key.Write(writer, value.Key);
        _value.Write(writer, value.Value);
        writer.Depth--;
    }

    internal override KeyValuePair<TKey, TValue> Read(SlimReader reader)
    {
        reader.Depth++;
        TKey key = _key.Read(reader);
        TValue value = _value.Read(reader);
        reader.Depth--;
        return new KeyValuePair<TKey, TValue>(key, value);
    }
}
