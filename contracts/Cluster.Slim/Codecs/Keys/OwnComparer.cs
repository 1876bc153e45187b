using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>The comparer of one kind of mutable collection where it is not a well-known one: an object of the graph, in
/// a place in front of the content that is null otherwise. Until it is read the collection has a stand-in; then the
/// constructor of the collection runs once more. So a comparer may be shared, and may lead back to its collection.
/// Collections that do not compare have no such place. Immutable.</summary>
internal sealed class OwnComparer
{
    private static readonly Type[] Comparing =
        [typeof(IEqualityComparer<>), typeof(IComparer<>), typeof(IEqualityComparer), typeof(IComparer)];

    private readonly ShellConstructor? _constructor;
    private readonly FieldSerializer<object?> _serializer;
    private readonly Type? _type;
    private readonly object? _default;

    public OwnComparer(Type collection, SerializerSource source)
    {
        _serializer = source.FieldSerializerOf<object?>();
        _type = ComparerTypeOf(collection);
        _constructor = _type is null
            ? ShellConstructor.Find(collection)
            : ShellConstructor.Find(collection, _type);
        _default = _type is null ? null : DefaultOf(collection, _type);
    }

    /// <summary>The code in the head, and the place in front of the body.</summary>
    public void Describe(LayoutBuilder layout)
    {
        if (_type is null)
            return;
        layout.Creation.Comparer();
        layout.Body.Place(typeof(object));
    }

    /// <summary>Runs the constructor of the collection on a shell of a derived class.</summary>
    public void Construct(object shell, object? comparer)
    {
        if (_type is null)
            _constructor?.Run(shell);
        else
            _constructor!.Run(shell, comparer);
    }

    /// <summary>Writes the comparer, or null if the head named it.</summary>
    public void Write(SlimWriter writer, object? comparer)
    {
        if (_type is null)
            return;
        if (Comparers.CodeOf(comparer, _default) != ComparerCodes.Own)
        {
            writer.WriteByte(ObjectTags.Null);
            return;
        }

        writer.Trace?.Push("Comparer");
        _serializer.Write(writer, comparer);
        writer.Trace?.Pop();
    }

    /// <summary>Reads the comparer if the collection still has a stand-in; says whether it had.</summary>
    public bool Read(SlimReader reader, object collection, object? comparer)
    {
        if (_type is null)
            return false;
        var isOwn = comparer is StandInComparer;
        if (reader.SkipZero())
        {
            if (isOwn)
                Throw.Malformed("The comparer of a collection is null.");
            return false;
        }

        reader.Trace?.Push("Comparer");
        var own = _serializer.Read(reader);
        if (!isOwn || !_type.IsInstanceOfType(own))
            Throw.Malformed($"A {own?.GetType()} stands where a {_type} may stand.");
        reader.Trace?.Pop();
        _constructor!.Run(collection, own);
        return true;
    }

    private static Type? ComparerTypeOf(Type collection) => collection
        .GetConstructors(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
        .Where(static c => c.IsPublic || c.IsFamily)
        .Select(static c => c.GetParameters())
        .Where(static p => p.Length == 1 && Comparing.Contains(DefinitionOf(p[0].ParameterType)))
        .Select(static p => p[0].ParameterType)
        .SingleOrDefault();

    private static Type DefinitionOf(Type type) => type.IsGenericType ? type.GetGenericTypeDefinition() : type;

    private static object? DefaultOf(Type collection, Type comparer)
    {
        if (!comparer.IsGenericType)
            return collection == typeof(SortedList) ? Comparer.Default : null;
        var holder = comparer.GetGenericTypeDefinition() == typeof(IComparer<>)
            ? typeof(Comparer<>)
            : typeof(EqualityComparer<>);
        return holder.MakeGenericType(comparer.GetGenericArguments())
            .GetProperty("Default", BindingFlags.Static | BindingFlags.Public | BindingFlags.DeclaredOnly)!
            .GetValue(null);
    }
}
