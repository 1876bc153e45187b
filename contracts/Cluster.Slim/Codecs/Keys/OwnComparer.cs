using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>Writes and reads the comparer of one kind of mutable collection if no code names the comparer: it is an
/// object of the graph, in a place in front of the content. The place is null for other comparers. Until the comparer
/// is read, the collection has a stand-in; then the constructor of the collection runs again with the comparer. So
/// other objects may share a comparer, and a comparer may refer to its collection. Collections that do not compare have
/// no such place. Immutable.</summary>
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

    /// <summary>Adds the code to the head, and the place to the start of the body.</summary>
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

    /// <summary>Writes the comparer; writes null if a code of the head names it.</summary>
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

    /// <summary>Reads the place of the comparer. Returns whether it held a comparer, which the collection has then
    /// instead of the stand-in.</summary>
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
