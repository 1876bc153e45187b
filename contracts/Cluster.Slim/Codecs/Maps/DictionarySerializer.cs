using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Maps;

/// <summary>Writes and reads a dictionary. Head: comparer. Body: a user's comparer, count, then keys and values in
/// enumeration order. The dictionary is filled when keys and comparer are complete: simple keys at once, other keys
/// when the graph is complete.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class DictionarySerializer<TKey, TValue>(SerializerSource source)
    : TypeSerializer(typeof(Dictionary<TKey, TValue>)), ICollectionSerializer
    where TKey : notnull
{
    private readonly FieldSerializer<TKey> _key = source.FieldSerializerOf<TKey>();
    private readonly FieldSerializer<TValue> _value = source.FieldSerializerOf<TValue>();
    private readonly long _entryBytes = CollectionSizes.EntryBytesOf(
        typeof(Dictionary<TKey, TValue>), Entries<TKey, TValue>.MemoryBytes);
    private readonly Func<KeyValuePair<TKey, TValue>[], KeyValuePair<TKey, TValue>[]>? _sort =
        CanonicalItems.For<KeyValuePair<TKey, TValue>>(typeof(Dictionary<TKey, TValue>), source.Rules);
    private readonly OwnComparer _comparer = new(typeof(Dictionary<TKey, TValue>), source);

    // With simple keys and values no user code runs during the fill, so nobody can see a dictionary that is half
    // filled.
    private readonly bool _isFilledDirectly = KeyRules<TKey>.AreSimple && KeyRules<TValue>.AreSimple;

    public void Adopt(object shell, object created) =>
        _comparer.Construct(shell, Unsafe.As<Dictionary<TKey, TValue>>(created).Comparer);

    public override void Describe(LayoutBuilder layout)
    {
        _comparer.Describe(layout);
        layout.Body.Items(typeof(TKey), typeof(TValue));
    }

    public override void WriteHead(SlimWriter writer, object value) =>
        Comparers.Write(writer, Unsafe.As<Dictionary<TKey, TValue>>(value).Comparer);

    public override object Create(SlimReader reader)
    {
        reader.Charge(80);
        return new Dictionary<TKey, TValue>(Comparers.ReadEquality<TKey>(reader));
    }

    public override void WriteBody(SlimWriter writer, object value)
    {
        var map = Unsafe.As<Dictionary<TKey, TValue>>(value);
        _comparer.Write(writer, map.Comparer);
        writer.Doubts.Charge(80 + (map.Count * (_entryBytes + Entries<TKey, TValue>.MemoryBytes)));
        if (!KeyRules<TKey>.AreHarmless(map.Count, map.Comparer) || Comparers.OwnOrNull(map.Comparer) is not null)
            CheckKeys(writer, map);
        if (_sort is not null)
        {
            Entries<TKey, TValue>.Write(writer, _sort([.. map]), _key, _value);
            return;
        }

        writer.WriteVar((uint)map.Count);
        var index = 0;
        foreach ((var key, var item) in map)
        {
            writer.Trace?.PushIndex(index++);
            _key.Write(writer, key);
            _value.Write(writer, item);
            writer.Trace?.Pop();
        }
    }

    public override void ReadBody(SlimReader reader, object instance)
    {
        var isOwn = _comparer.Read(reader, instance, Unsafe.As<Dictionary<TKey, TValue>>(instance).Comparer);
        if (!isOwn && _isFilledDirectly)
        {
            Fill(reader, Unsafe.As<Dictionary<TKey, TValue>>(instance));
            return;
        }

        var entries = Entries<TKey, TValue>.Read(reader, _key, _value, _entryBytes);
        if (!isOwn && KeyRules<TKey>.AreSimple)
            Complete(reader, instance, entries);
        else
            reader.Completions.Add(this, instance, entries);
    }

    // Entries go from the message directly into the dictionary. Arrays between the two took about a tenth more time.
    private void Fill(SlimReader reader, Dictionary<TKey, TValue> map)
    {
        var count = reader.ReadCount(_key.BytesMin + _value.BytesMin);
        reader.Charge(count * _entryBytes);
        map.Clear();
        var counts = KeyRules<TKey>.BeginBuckets(
            reader.Keys, map.Comparer, count, map.EnsureCapacity(count));
        for (var i = 0; i < count; i++)
        {
            reader.Trace?.PushIndex(i);
            var key = _key.Read(reader);
            if (key is null)
                Throw.Malformed("A key is null.");
            counts.Add(key!);
            if (!map.TryAdd(key!, _value.Read(reader)))
                Throw.Malformed("A key occurs twice in a dictionary.");
            reader.Trace?.Pop();
        }

        counts.End();
    }

    public override void Complete(SlimReader reader, object instance, object content)
    {
        var map = (Dictionary<TKey, TValue>)instance;
        var entries = (Entries<TKey, TValue>)content;
        KeyRules<TKey>.Guard((reader.Keys, map, entries), static fill =>
        {
            fill.map.Clear();
            fill.map.EnsureCapacity(fill.entries.Count);
            KeyRules<TKey>.ChargeHashed(fill.Keys, fill.entries.Keys, fill.map.Comparer);
            for (var i = 0; i < fill.entries.Count; i++)
            {
                if (!fill.map.TryAdd(fill.entries.Keys[i], fill.entries.Values[i]))
                    Throw.Malformed("A key occurs twice in a dictionary.");
            }
        });
    }

    private static void CheckKeys(SlimWriter writer, Dictionary<TKey, TValue> map) =>
        WrittenKeys.Check<TKey, Dictionary<TKey, TValue>>(
            writer,
            map,
            map.Comparer,
            map,
            static (keys, map) =>
            {
                if (!KeyRules<TKey>.TryForesee(keys, map.Count, map.Comparer))
                    KeyRules<TKey>.ChargeHashed(keys, map.Keys.ToArray(), map.Comparer);
            });
}
