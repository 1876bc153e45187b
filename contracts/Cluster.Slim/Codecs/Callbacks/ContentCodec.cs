using System.Runtime.Serialization;
using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Graph;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>Writes and reads the content of <c>ISerializable</c> objects of one type. Head: a mark, and the other type
/// if the object named one. Body: count, then name and object place of each value. Immutable except for its cache; safe
/// for many threads.</summary>
internal sealed class ContentCodec(Type type, SerializerSource source)
{
    // The memory of a SerializationInfo with its three arrays and its index, and of one value in them and in our
    // arrays.
    private const int InfoBytes = 448;
    private const int ValueBytes = 128;

    private readonly ConcurrentDictionary<Type, ContentRecipe> _recipes = new();
    private readonly FieldSerializer<object?> _serializer = source.FieldSerializerOf<object?>();

    /// <summary>Runs the object's <c>GetObjectData</c>. Callers call this once per object and keep the
    /// content.</summary>
    public SerializationInfo ContentOf(SlimWriter writer, object value)
    {
        writer.Callbacks.Count(writer);
        var content = FormatterInterfaces.NewInfo(type);
        try
        {
            FormatterInterfaces.GetContent(value, content);
        }
        catch (Exception e) when (e is not SlimException and not OutOfMemoryException)
        {
            throw Throw.CodeFailed(value, "its GetObjectData failed.", e);
        }

        if (FormatterInterfaces.NamesTypeByText(content))
            throw Throw.NotSupported(type, "its GetObjectData names a type by text; use SetType.");
        if (RecipeOf(content.ObjectType).ReasonAgainst(NamesOf(content)) is { } reason)
            throw Throw.NotSupported(content.ObjectType, reason);
        // Foresees the reader's costs: the serialization constructor, the callbacks and the values until the
        // constructor runs.
        var recipe = RecipeOf(content.ObjectType);
        writer.Doubts.AddCallbacks(1 + (recipe.Callbacks?.ReadRunCount ?? 0));
        writer.Doubts.Charge(recipe.Bytes + InfoBytes + (content.MemberCount * (long)ValueBytes));
        return content;
    }

    public static void DescribeValues(StepList body) => body.Items(typeof(string), typeof(object));

    /// <summary>Whether the reader builds an <c>IObjectReference</c> from the content, which stands for another
    /// object.</summary>
    public bool IsReference(SerializationInfo content) =>
        RecipeOf(content.ObjectType).Callbacks is { IsReference: true };

    public void WriteTarget(SlimWriter writer, SerializationInfo content)
    {
        var isOther = content.ObjectType != type;
        var mark = isOther ? ReplacementFlags.OtherType : ReplacementFlags.None;
        writer.WriteByte((byte)(IsReference(content) ? mark | ReplacementFlags.BodyNext : mark));
        if (isOther)
            writer.WriteType(content.ObjectType);
    }

    public void WriteValues(SlimWriter writer, SerializationInfo content)
    {
        writer.WriteVar((uint)content.MemberCount);
        foreach (var entry in content)
        {
            writer.WriteString(entry.Name);
            writer.Trace?.Push(entry.Name);
            _serializer.Write(writer, entry.Value);
            writer.Trace?.Pop();
        }
    }

    /// <summary>Reads which type the reader builds: the type of the object, or the type that the object
    /// named.</summary>
    public ContentRecipe ReadTarget(SlimReader reader)
    {
        var mark = ReplacementFlagsReader.Read(reader);
        return RecipeOf((mark & ReplacementFlags.OtherType) == 0 ? type : reader.ReadType().Type);
    }

    public SerializedContent ReadValues(SlimReader reader, ContentRecipe recipe)
    {
        var count = reader.ReadCount(2);
        reader.Charge(InfoBytes + (count * (long)ValueBytes));
        var names = new string[count];
        var values = new object?[count];
        for (var i = 0; i < count; i++)
        {
            var name = reader.ReadString();
            if (name is null)
                Throw.Malformed("The name of a value of a serializable object is null.");
            names[i] = name!;
            reader.Trace?.Push(name!);
            values[i] = _serializer.Read(reader);
            reader.Trace?.Pop();
        }

        if (recipe.ReasonAgainst(names) is { } reason)
            throw Throw.NotSupported(recipe.Type, reason);
        return new SerializedContent(recipe, names, values);
    }

    public ContentRecipe RecipeOf(Type target) =>
        _recipes.GetOrAdd(target, t => new ContentRecipe(t, source.Rules));

    private static IEnumerable<string> NamesOf(SerializationInfo content)
    {
        foreach (var entry in content)
            yield return entry.Name;
    }
}
