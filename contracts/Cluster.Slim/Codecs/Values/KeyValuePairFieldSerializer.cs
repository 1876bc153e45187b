using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads a pair: the key, then the value.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class KeyValuePairFieldSerializer<TKey, TValue>(SerializerSource source)
    : FieldSerializer<KeyValuePair<TKey, TValue>>
{
    private readonly FieldSerializer<TKey> _key = source.FieldSerializerOf<TKey>();
    private readonly FieldSerializer<TValue> _value = source.FieldSerializerOf<TValue>();

    public override int BytesMin => _key.BytesMin + _value.BytesMin;

    public override void Describe(LayoutBuilder layout) => layout.Body.Place(typeof(TKey)).Place(typeof(TValue));

    public override void Write(SlimWriter writer, KeyValuePair<TKey, TValue> value)
    {
        writer.Depth++;
        _key.Write(writer, value.Key);
        _value.Write(writer, value.Value);
        writer.Depth--;
    }

    public override KeyValuePair<TKey, TValue> Read(SlimReader reader)
    {
        reader.Depth++;
        var key = _key.Read(reader);
        var value = _value.Read(reader);
        reader.Depth--;
        return new KeyValuePair<TKey, TValue>(key, value);
    }
}
