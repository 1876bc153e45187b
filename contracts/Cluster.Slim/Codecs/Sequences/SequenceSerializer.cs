using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Fields;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sequences;

/// <summary>Writes and reads a mutable collection. Head: what the codec writes, such as a comparer. Body: a user's
/// comparer, count and items.</summary>
/// <typeparam name="TCollection">The collection type.</typeparam>
/// <typeparam name="T">The item type.</typeparam>
/// <typeparam name="TCodec">Takes the items out of the collection and puts them back.</typeparam>
internal sealed class SequenceSerializer<TCollection, T, TCodec>(SerializerSource source)
    : TypeSerializer(typeof(TCollection)), ICollectionSerializer
    where TCollection : class
    where TCodec : struct, ISequenceCodec<TCollection, T>
{
    private const int CollectionBytes = 96;

    private readonly FieldSerializer<T> _serializer = source.FieldSerializerOf<T>();
    private readonly long _itemBytes =
        CollectionSizes.EntryBytesOf(typeof(TCollection), FieldSerializer<T>.MemoryBytes);
    private readonly Func<T[], T[]>? _sort = CanonicalItems.For<T>(typeof(TCollection), source.Rules);
    private readonly OwnComparer _comparer = new(typeof(TCollection), source);

    public void Adopt(object shell, object created)
    {
        _comparer.Construct(shell, TCodec.ComparerOf((TCollection)created));
        TCodec.CopySettings((TCollection)created, (TCollection)shell);
    }

    public override void Describe(LayoutBuilder layout)
    {
        TCodec.DescribeHead(layout.Creation);
        _comparer.Describe(layout);
        layout.Body.Items(typeof(T));
    }

    public override void WriteHead(SlimWriter writer, object value) => TCodec.WriteHead(writer, (TCollection)value);

    public override object Create(SlimReader reader)
    {
        reader.Charge(CollectionBytes);
        return TCodec.Create(reader);
    }

    public override void WriteBody(SlimWriter writer, object value)
    {
        _comparer.Write(writer, TCodec.ComparerOf((TCollection)value));
        var items = TCodec.ItemsOf((TCollection)value);
        if (_sort is not null)
            items = _sort(items);
        writer.WriteVar((uint)items.Length);
        writer.Doubts.Charge(24 + (items.Length * (_itemBytes + FieldSerializer<T>.MemoryBytes)));
        if (TCodec.IsKeyed)
        {
            WrittenKeys.Check<T, (TCollection, T[])>(
                writer,
                value,
                TCodec.ComparerOf((TCollection)value),
                ((TCollection)value, items),
                static (keys, state) => TCodec.ChargeKeys(keys, state.Item1, state.Item2));
        }

        _serializer.WriteSpan(writer, items);
    }

    public override void ReadBody(SlimReader reader, object instance)
    {
        var isOwn = _comparer.Read(reader, instance, TCodec.ComparerOf((TCollection)instance));
        var items = ReadItems(reader, _serializer, _itemBytes);
        if (isOwn || (TCodec.IsKeyed && !KeyRules<T>.AreSimple))
            reader.Completions.Add(this, instance, items);
        else
            Complete(reader, instance, items);
    }

    public override void Complete(SlimReader reader, object instance, object content) =>
        KeyRules<T>.Guard((reader.Keys, Collection: (TCollection)instance, Items: (T[])content), static fill =>
        {
            TCodec.ChargeKeys(fill.Keys, fill.Collection, fill.Items);
            TCodec.Fill(fill.Collection, fill.Items);
        });

    /// <summary>Reads count and items. Before that, charges for the array and for the memory that the fill will
    /// allocate.</summary>
    public static T[] ReadItems(SlimReader reader, FieldSerializer<T> serializer, long itemBytes)
    {
        var count = reader.ReadCount(serializer.BytesMin);
        reader.Charge(24 + (count * (itemBytes + FieldSerializer<T>.MemoryBytes)));
        var items = new T[count];
        serializer.ReadSpan(reader, items);
        return items;
    }
}
