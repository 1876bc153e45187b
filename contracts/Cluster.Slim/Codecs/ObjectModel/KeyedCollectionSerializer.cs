using System.Collections.ObjectModel;
using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Codecs.Sequences;
using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.ObjectModel;

/// <summary>Writes and reads the framework's part of a class derived from a keyed collection. Head: comparer. Body: a
/// user's comparer, count and items. The collection is filled when the graph is complete, because the user's code takes
/// the keys from the items.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TItem">The item type.</typeparam>
internal sealed class KeyedCollectionSerializer<TKey, TItem>(SerializerSource source)
    : TypeSerializer(typeof(KeyedCollection<TKey, TItem>)), ICollectionSerializer
    where TKey : notnull
{
    // GetKeyForItem is the user's code that takes the key from an item. It is protected, hence the reflection.
    private static readonly Func<KeyedCollection<TKey, TItem>, TItem, TKey> KeyOf =
        typeof(KeyedCollection<TKey, TItem>).GetMethod("GetKeyForItem", BindingFlags.Instance | BindingFlags.NonPublic)!
            .CreateDelegate<Func<KeyedCollection<TKey, TItem>, TItem, TKey>>();

    private readonly FieldSerializer<TItem> _serializer = source.FieldSerializerOf<TItem>();
    private readonly long _itemBytes = CollectionSizes.EntryBytesOf(
        typeof(KeyedCollection<TKey, TItem>), FieldSerializer<TItem>.MemoryBytes + FieldSerializer<TKey>.MemoryBytes);
    private readonly OwnComparer _comparer = new(typeof(KeyedCollection<TKey, TItem>), source);

    public void Adopt(object shell, object created) =>
        _comparer.Construct(shell, ((KeyedCollection<TKey, TItem>)created).Comparer);

    public override void Describe(LayoutBuilder layout)
    {
        _comparer.Describe(layout);
        layout.Body.Items(typeof(TItem));
    }

    public override void WriteHead(SlimWriter writer, object value) =>
        Comparers.Write(writer, ((KeyedCollection<TKey, TItem>)value).Comparer);

    public override object Create(SlimReader reader)
    {
        reader.Charge(96);
        return new Model(Comparers.ReadEquality<TKey>(reader));
    }

    public override void WriteBody(SlimWriter writer, object value)
    {
        _comparer.Write(writer, ((KeyedCollection<TKey, TItem>)value).Comparer);
        TItem[] items = [.. (Collection<TItem>)value];
        writer.Doubts.Charge(24 + (items.Length * (_itemBytes + FieldSerializer<TItem>.MemoryBytes)));
        WrittenKeys.Check<TKey, (KeyedCollection<TKey, TItem>, TItem[])>(
            writer,
            value,
            ((KeyedCollection<TKey, TItem>)value).Comparer,
            ((KeyedCollection<TKey, TItem>)value, items),
            static (keys, state) => CheckKeys(keys, state.Item1, state.Item2));
        writer.WriteVar((uint)items.Length);
        _serializer.WriteSpan(writer, items);
    }

    public override void ReadBody(SlimReader reader, object instance)
    {
        _comparer.Read(reader, instance, ((KeyedCollection<TKey, TItem>)instance).Comparer);
        reader.Completions.Add(
            this, instance, SequenceSerializer<Collection<TItem>, TItem, CollectionCodec<TItem>>.ReadItems(
                reader, _serializer, _itemBytes));
    }

    public override void Complete(SlimReader reader, object instance, object content) =>
        UserFill.Run(() =>
        {
            var collection = (KeyedCollection<TKey, TItem>)instance;
            collection.Clear();
            var keys = KeysOf(collection, (TItem[])content);
            if (Array.Exists(keys, static k => k is null))
                Throw.Malformed("A key is null.");
            KeyRules<TKey>.ChargeGrowth(reader.Keys, keys, collection.Comparer, sparseness: 1);
            CollectionCodec<TItem>.Fill(collection, (TItem[])content);
        });

    private static TKey[] KeysOf(KeyedCollection<TKey, TItem> collection, TItem[] items) =>
        Array.ConvertAll(items, item => KeyOf(collection, item));

    // The key of an item may have changed since the item was added, and the reader takes the keys from the items again.
    private static void CheckKeys(KeyLedger ledger, KeyedCollection<TKey, TItem> collection, TItem[] items)
    {
        var keys = KeysOf(collection, items);
        KeyRules<TKey>.ChargeGrowth(ledger, keys, collection.Comparer, sparseness: 1);
        ledger.IsUncertain |= Array.Exists(keys, static k => k is null)
            || keys.ToHashSet(collection.Comparer).Count < keys.Length;
    }

    /// <summary>Holds the comparer of the head until the constructor of the user's collection gets it.</summary>
    private sealed class Model(IEqualityComparer<TKey> comparer) : KeyedCollection<TKey, TItem>(comparer)
    {
        protected override TKey GetKeyForItem(TItem item) => throw new NotSupportedException();
    }
}
