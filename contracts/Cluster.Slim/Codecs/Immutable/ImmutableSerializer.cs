using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Graph;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Immutable;

/// <summary>Writes and reads an immutable collection. All of it is head, because the collection cannot exist before its
/// items. The writer refuses a graph in which the collection contains itself.</summary>
/// <typeparam name="TCollection">The collection type.</typeparam>
/// <typeparam name="T">The item type; a pair for dictionaries.</typeparam>
internal sealed class ImmutableSerializer<TCollection, T>(
    IImmutableCodec<TCollection, T> codec, SerializerSource source)
    : TypeSerializer(typeof(TCollection))
    where TCollection : class
{
    private const int CollectionBytes = 96;

    private readonly FieldSerializer<T> _serializer = source.FieldSerializerOf<T>();
    private readonly long _itemBytes =
        CollectionSizes.EntryBytesOf(typeof(TCollection), FieldSerializer<T>.MemoryBytes);
    private readonly Func<T[], T[]>? _sort = CanonicalItems.For<T>(typeof(TCollection), source.Rules);

    public override bool HasBody => false;

    public override bool HeadHasReferences => true;

    public override void Describe(LayoutBuilder layout)
    {
        for (var i = 0; i < codec.ComparerCount; i++)
            layout.Creation.Comparer().Place(typeof(object));
        layout.Creation.Items(typeof(T));
    }

    public override void WriteHead(SlimWriter writer, object value)
    {
        var handleFirst = writer.Identity.Count;
        codec.WriteComparer(writer, (TCollection)value);
        T[] items = [.. codec.ItemsOf((TCollection)value)];
        if (_sort is not null)
            items = _sort(items);
        writer.WriteVar((uint)items.Length);
        writer.Doubts.Charge(CollectionBytes + (items.Length * (_itemBytes + FieldSerializer<T>.MemoryBytes)));
        CheckKeys(writer, (TCollection)value, items);
        _serializer.WriteSpan(writer, items);
        if (codec.MayReachObjects || codec.OwnComparerOf((TCollection)value) is not null)
            KeyReach.Check(writer, handleFirst, KeysOf((TCollection)value, items));
    }

    public override object Create(SlimReader reader)
    {
        var build = codec.ReadBuilder(reader, out var own);
        var count = reader.ReadCount(_serializer.BytesMin);
        reader.Charge(CollectionBytes + (count * (_itemBytes + FieldSerializer<T>.MemoryBytes)));
        var items = new T[count];
        _serializer.ReadSpan(reader, items);
        if (!codec.IsKeyed && own is null)
            return build(items);
        // Objects of the message can still change, so earlier results about keys are not valid.
        reader.Keys.Forget();
        reader.Completions.RunReached(reader, own is null ? items : new object[] { items, own });
        var built = KeyRules<T>.Build(items, build);
        reader.Keys.Forget();
        reader.Completions.AddCheck(reader, new PendingContent(this, built, items));
        return built;
    }

    // The reader may have to complete other objects before the build. It searches all parts of the items for them,
    // which no figure foresees.
    private void CheckKeys(SlimWriter writer, TCollection collection, T[] items)
    {
        var own = codec.OwnComparerOf(collection);
        if (own is not null || (codec.IsKeyed && writer.Doubts.HasWaiting))
            writer.Doubts.IsUncertain = true;
        WrittenKeys.Run(
            writer,
            collection,
            (codec, collection, items),
            static (keys, state) => state.codec.ChargeKeys(keys, state.collection, state.items));
    }

    private IEnumerable<object?> KeysOf(TCollection collection, T[] items) =>
        items.Select(item => codec.KeyOf(item)).Append(codec.OwnComparerOf(collection));

    public override void CheckComplete(object instance, object content)
    {
        var finds = KeyRules<T>.Build((TCollection)instance, collection =>
            Array.TrueForAll((T[])content, item => codec.Finds(collection, item)));
        if (!finds)
        {
            throw Throw.NotSupported(
                Type, "a key depends on an object that contains the collection or lies too deep below it.");
        }
    }
}
