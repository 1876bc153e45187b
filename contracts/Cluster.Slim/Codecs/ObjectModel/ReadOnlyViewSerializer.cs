using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.ObjectModel;

/// <summary>Writes and reads a read-only collection or dictionary: a view of another collection, which other objects of
/// the graph may share. Body: a reference to the viewed collection; then the constructor runs on the shell.</summary>
/// <typeparam name="TView">The view type.</typeparam>
/// <typeparam name="TInner">The interface of the viewed collection.</typeparam>
internal sealed class ReadOnlyViewSerializer<TView, TInner>(string property, SerializerSource source)
    : TypeSerializer(typeof(TView)), ICollectionSerializer
    where TView : class
    where TInner : class
{
    // The property is protected, hence the reflection.
    private readonly PropertyInfo _inner =
        typeof(TView).GetProperty(property, BindingFlags.Instance | BindingFlags.NonPublic)!;

    private readonly FieldSerializer<TInner?> _serializer = source.FieldSerializerOf<TInner?>();
    private readonly ShellConstructor _constructor = ShellConstructor.Find(typeof(TView), typeof(TInner))!;

    /// <summary>Does nothing: the constructor runs when the body has given the viewed collection.</summary>
    public void Adopt(object shell, object created)
    {
    }

    public override void Describe(LayoutBuilder layout) => layout.Body.Place(typeof(TInner));

    public override object Create(SlimReader reader)
    {
        reader.Charge(64);
        return ShellConstructor.NewShell(typeof(TView));
    }

    public override void WriteBody(SlimWriter writer, object value) =>
        _serializer.Write(writer, value is TView ? (TInner?)_inner.GetValue(value) : (TInner)ItemsOf(value));

    public override void ReadBody(SlimReader reader, object instance)
    {
        var inner = _serializer.Read(reader);
        if (inner is null)
            Throw.Malformed("The collection behind a read-only one is null.");
        _constructor.Run(instance, inner);
    }

    // The list of a collection expression does not show the collection behind it, so its items are copied.
    private static object ItemsOf(object list)
    {
        object items = Array.CreateInstance(typeof(TInner).GetGenericArguments()[0], ((ICollection)list).Count);
        ((ICollection)list).CopyTo((Array)items, 0);
        return items;
    }
}
