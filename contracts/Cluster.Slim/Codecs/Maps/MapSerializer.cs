using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Fields;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Maps;

/// <summary>Writes and reads a mutable dictionary other than <see cref="Dictionary{TKey, TValue}"/>. Head: comparer.
/// Body: a user's comparer, count, then keys and values. The dictionary is filled when its keys are complete.</summary>
/// <typeparam name="TMap">The dictionary type.</typeparam>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class MapSerializer<TMap, TKey, TValue>(IMapCodec<TMap, TKey, TValue> codec, SerializerSource source)
    : TypeSerializer(typeof(TMap)), ICollectionSerializer
    where TMap : class
    where TKey : notnull
{
    private const int MapBytes = 256;

    private readonly FieldSerializer<TKey> _key = source.FieldSerializerOf<TKey>();
    private readonly FieldSerializer<TValue> _value = source.FieldSerializerOf<TValue>();
    private readonly long _entryBytes = CollectionSizes.EntryBytesOf(
        typeof(TMap), Entries<TKey, TValue>.MemoryBytes);
    private readonly Func<KeyValuePair<TKey, TValue>[], KeyValuePair<TKey, TValue>[]>? _sort =
        CanonicalItems.For<KeyValuePair<TKey, TValue>>(typeof(TMap), source.Rules);
    private readonly OwnComparer _comparer = new(typeof(TMap), source);

    public void Adopt(object shell, object created) =>
        _comparer.Construct(shell, codec.ComparerOf((TMap)created));

    public override void Describe(LayoutBuilder layout)
    {
        codec.DescribeHead(layout.Creation);
        _comparer.Describe(layout);
        layout.Body.Items(typeof(TKey), typeof(TValue));
    }

    public override void WriteHead(SlimWriter writer, object value) => codec.WriteHead(writer, (TMap)value);

    public override object Create(SlimReader reader)
    {
        reader.Charge(MapBytes);
        return codec.Create(reader);
    }

    public override void WriteBody(SlimWriter writer, object value)
    {
        _comparer.Write(writer, codec.ComparerOf((TMap)value));
        var entries = SortedEntriesOf((TMap)value);
        writer.Doubts.Charge(80 + (entries.Length * (_entryBytes + Entries<TKey, TValue>.MemoryBytes)));
        WrittenKeys.Check<TKey, (IMapCodec<TMap, TKey, TValue>, TMap, KeyValuePair<TKey, TValue>[])>(
            writer,
            value,
            codec.ComparerOf((TMap)value),
            (codec, (TMap)value, entries),
            static (keys, state) => state.Item1.ChargeKeys(
                keys, state.Item2, Array.ConvertAll(state.Item3, static e => e.Key)));
        Entries<TKey, TValue>.Write(writer, entries, _key, _value);
    }

    private KeyValuePair<TKey, TValue>[] SortedEntriesOf(TMap map) =>
        _sort is null ? codec.EntriesOf(map) : _sort(codec.EntriesOf(map));

    public override void ReadBody(SlimReader reader, object instance)
    {
        var isOwn = _comparer.Read(reader, instance, codec.ComparerOf((TMap)instance));
        var entries = Entries<TKey, TValue>.Read(reader, _key, _value, _entryBytes);
        if (!isOwn && KeyRules<TKey>.AreSimple)
            Complete(reader, instance, entries);
        else
            reader.Completions.Add(this, instance, entries);
    }

    public override void Complete(SlimReader reader, object instance, object content) =>
        KeyRules<TKey>.Guard(
            (codec, reader.Keys, Map: (TMap)instance, Entries: (Entries<TKey, TValue>)content),
            static fill =>
            {
                fill.codec.ChargeKeys(fill.Keys, fill.Map, fill.Entries.Keys);
                fill.codec.Fill(fill.Map, fill.Entries);
            });
}
